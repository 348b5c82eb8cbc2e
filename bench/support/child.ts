import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process of ours that says `{ready}` once it is, and stops when we are gone. */
export interface Child {
  pid: number
  ready: Record<string, number | string>
  /** Asks for something, and waits for the answer. */
  ask<T>(question: object): Promise<T>
  stop(): Promise<void>
}

const LONGEST_STOP_MS = 15_000

export async function startChild(file: URL, env: Record<string, string>, options: string[] = []): Promise<Child> {
  // Its log goes where ours goes, so that standard output holds nothing but the results.
  const child = fork(file, {
    execArgv: [...process.execArgv, ...options],
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2, 'ipc'],
  })
  const { ready } = await answerOf<{ ready: Child['ready'] }>(child, file)
  return {
    pid: child.pid!,
    ready,
    ask(question) {
      child.send(question)
      return answerOf(child, file)
    },
    async stop() {
      if (hasEnded(child)) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      if ((await Promise.race([gone, sleep(LONGEST_STOP_MS, 'late', { ref: false })])) === 'late') child.kill('SIGKILL')
    },
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

function answerOf<T>(child: ChildProcess, { pathname }: URL): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${pathname} ended before it answered`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message as T)
    })
  })
}
