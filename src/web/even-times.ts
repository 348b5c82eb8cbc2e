import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 100

/** Ends the work, and its failure, only at whole steps of time: a reader cannot measure what the work found. */
export async function atEvenTimes<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    await sleep(EVERY_MS - ((performance.now() - started) % EVERY_MS))
  }
}
