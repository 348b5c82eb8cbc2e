import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/config.ts'
import { needsOwnProcess, waits } from './kinds.ts'

/** What jest says to a runner, as far as this one listens. */
interface Settings {
  maxWorkers: number
  rootDir: string
}
interface TestFile {
  path: string
  context: { config: object }
}
interface Run {
  isInterrupted(): boolean
}
type Report<Args extends unknown[] = []> = (file: TestFile, ...args: Args) => Promise<void>

export interface Answer {
  result?: object
  error?: { message: string; stack?: string | undefined }
}

/** What was compiled once is not compiled again, in these processes and those that tests start. */
const env = { NODE_COMPILE_CACHE: join(readConfig(process.env).CACHE_DIR, 'compiled'), ...process.env }
const program = fileURLToPath(new URL('./runner-process.ts', import.meta.url))
/** Whatever a file left open has ended by then, on a machine of any speed. */
const LONGEST_END_MS = 60_000

/**
 * Runs the test files in a few processes that load the service once. Jest's own runner loads the service again for each
 * file, which takes longer than most files.
 */
export default class Runner {
  readonly supportsEventEmitters = false
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  async runTests(files: TestFile[], run: Run, began: Report, ended: Report<[object]>, failed: Report<[object]>) {
    const waiting = files.filter(({ path }) => waits(path))
    const computing = files.filter(({ path }) => !waits(path))
    const next = (inTurn: TestFile[][]) =>
      run.isInterrupted() ? undefined : inTurn.find(({ length }) => length)?.shift()
    const report = async (file: TestFile, { result, error }: Answer) => {
      if (result) await ended(file, result)
      else await failed(file, error!)
    }
    const work = async (...inTurn: TestFile[][]) => {
      let shared: TestProcess | undefined
      for (let file = next(inTurn); file; file = next(inTurn)) {
        await began(file)
        const alone = needsOwnProcess(file.path)
        const place = alone || !shared || shared.dead ? new TestProcess(this.#settings) : shared
        await report(file, await place.run(file))
        if (alone) await place.end(failed)
        else shared = place
      }
      await shared?.end(failed)
    }
    // A third of them begin with what computes, so that the machine is neither idle nor overrun.
    await Promise.all(
      Array.from({ length: this.#settings.maxWorkers }, (_, n) =>
        n % 3 ? work(waiting, computing) : work(computing, waiting),
      ),
    )
  }
}

class TestProcess {
  readonly #settings: Settings
  readonly #child = fork(program, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  readonly #death = once(this.#child, 'exit').then(([code, signal]) => signal ?? code)
  readonly #files: TestFile[] = []
  dead = false

  constructor(settings: Settings) {
    this.#settings = settings
    void this.#death.then(() => {
      this.dead = true
    })
  }

  async run(file: TestFile): Promise<Answer> {
    const answer = once(this.#child, 'message').then(([args]) => args)
    const death = this.#death.then((how) => this.#failure(`ended with ${how}`))
    this.#files.push(file)
    this.#child.send({ settings: this.#settings, config: file.context.config, path: file.path })
    return Promise.race([answer, death])
  }

  /** A process that does not end by itself, or badly, fails the last of its files. */
  async end(failed: Report<[object]>): Promise<void> {
    if (this.dead) return
    this.#child.disconnect()
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), LONGEST_END_MS)
    const how = await this.#death
    clearTimeout(kill)
    if (how !== 0) await failed(this.#files.at(-1)!, this.#failure(`ended with ${how} after its last file`).error)
  }

  #failure(what: string): { error: { message: string; stack: string } } {
    const [last, before] = this.#files.toReversed().map(({ path }) => relative(this.#settings.rootDir, path))
    const message = `The process of ${last}${before ? `, and of ${before} before it,` : ''} ${what}`
    return { error: { message, stack: message } }
  }
}
