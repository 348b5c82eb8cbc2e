import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { restartOnExit } from '../../src/local/restart-on-exit.ts'
import { backoff, superviseProcess } from '../../src/local/supervise.ts'
import { until } from '../support/wait.ts'

/** Until a process that crashes has been started again so often: what is started again as late would be there, too. */
async function othersAreStartedAgain(times: number): Promise<void> {
  const { child, lives } = supervise('crashes', `witness-${times}`)
  await child.ready
  await until(lives, ({ length }) => length > times)
  await child.stop()
}

const dir = mkdtempSync(join(tmpdir(), 'upbeat-supervise-'))
afterAll(() => rmSync(dir, { recursive: true }))

function supervise(CHILD: string, name: string) {
  const said: string[] = []
  const NOTES = join(dir, name)
  const env = { ...process.env, CHILD, NOTES, WORD: 'one' }
  const file = new URL('./fixtures/child.ts', import.meta.url)
  const child = superviseProcess({ name, file, env: () => env, print: (text) => void said.push(text) })
  return { child, said, env, lives: () => readFileSync(NOTES, 'utf8').trim().split('\n') }
}

test('pauses double up to half a minute, and begin again after a long life', () => {
  const pauseAfter = backoff()
  expect([0, 0, 0, 0, 0, 0, 0, 60_000, 0].map(pauseAfter)).toEqual([
    ...[1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 1000, 2000],
  ])
})

test.each([
  ['killed', 'The killed process has ended (SIGKILL).'],
  ['fails', 'The database cannot be reached.'],
])('a process that %s before it is ready for the first time is started again', async (how, reason) => {
  const { child, said, lives } = supervise(`${how} first`, how)
  expect(await child.ready).toEqual({ port: 1 })
  expect({ said, lives: lives() }).toEqual({
    said: [`${reason} The ${how} process restarts in 1 s.`],
    lives: ['one', 'one'],
  })
  await child.stop()
})

test('a process with a final reason is not started again, and its own sentence is the only one', async () => {
  const { child, said, lives } = supervise('refuses', 'refusing')
  await expect(child.ready).rejects.toThrow(/^There is no room\.$/)
  await othersAreStartedAgain(1)
  expect({ said, lives: lives() }).toEqual({ said: [], lives: ['one'] })
  await child.stop()
})

test('what crashes again and again is started ever more slowly', async () => {
  const { child, said, lives } = supervise('crashes', 'crashing')
  await child.ready
  await until(
    () => said.length,
    (count) => count === 2,
  )
  expect(said).toEqual([
    'The crashing process has ended (exit code 7). The crashing process restarts in 1 s.',
    'The crashing process has ended (exit code 7). The crashing process restarts in 2 s.',
  ])
  await child.stop()
  await othersAreStartedAgain(2)
  expect(lives()).toHaveLength(2)
})

test('a renewed process restarts at once with the current environment', async () => {
  const { child, said, env, lives } = supervise('lasts', 'lasting')
  expect(await child.ready).toEqual({ port: 1 })
  env.WORD = 'two'
  child.renew()
  await until(lives, (words) => words.length === 2)
  expect({ said, lives: lives() }).toEqual({ said: [], lives: ['one', 'two'] })
  await child.stop()
})

test('one that takes its time to stop can be hurried', async () => {
  const { child, lives } = supervise('lingers', 'lingering')
  await child.ready
  let over = false
  const stopped = child.stop().then(() => {
    over = true
  })
  await until(lives, (notes) => notes.includes('SIGTERM'))
  expect(over).toBe(false)
  child.hurry()
  await stopped
})

interface Fake {
  number: number
  up: boolean
}

function fakes(fails: (number: number) => boolean = () => false, ready = async (_number: number) => {}) {
  const made: Fake[] = []
  const restarts: number[] = []
  const said: string[] = []
  const kept = restartOnExit({
    name: 'Fake',
    print: (text) => void said.push(text),
    onRestart: ({ number }) => void restarts.push(number),
    start: async () => {
      const fake: Fake = { number: made.length, up: true }
      made.push(fake)
      if (fails(fake.number)) throw new Error('No.')
      await ready(fake.number)
      return {
        ...fake,
        alive: () => fake.up,
        stop: async () => {
          fake.up = false
        },
      }
    },
  })
  return { kept, made, restarts, said }
}

test('a server that dies is started again, also after a start that fails', async () => {
  const { kept, made, restarts, said } = fakes((number) => number === 1)
  await kept.started
  made[0]!.up = false
  await until(
    () => restarts,
    (list) => list.length === 1,
  )
  expect({ restarts, said }).toEqual({
    restarts: [2],
    said: ['Fake has ended. Restarting Fake.', 'No.\nThe next attempt is in 1 s.'],
  })
  await kept.stop()
  expect(made.at(-1)!.up).toBe(false)
})

test('a server that is stopped while it starts again stays stopped', async () => {
  const again = Promise.withResolvers<void>()
  const { kept, made } = fakes(undefined, async (number) => {
    if (number > 0) await again.promise
  })
  await kept.started
  made[0]!.up = false
  await until(
    () => made.length,
    (count) => count === 2,
  )
  const stopped = kept.stop()
  again.resolve()
  await stopped
  expect(made.every((fake) => !fake.up)).toBe(true)
})
