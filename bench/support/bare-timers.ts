import { setTimeout as sleep } from 'node:timers/promises'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { bareServices } from './bare-services.ts'

/**
 * What the starts of windows are measured against: a process that holds a timer for each in its memory, and when it
 * fires takes the very step that a worker takes, as many at a time. It would forget all of them if it died.
 */
export interface Timers {
  pageId: number
  windows: { id: number; at: number }[]
  concurrency: number
}

const services = await bareServices('bare-timers')

async function run({ pageId, windows, concurrency }: Timers): Promise<void> {
  const waiting: (() => void)[] = []
  let free = concurrency
  const start = async (id: number) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    await takeStep(services, steps.maintenance, { kind: 'maintenance', pageId, id, now: new Date() })
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  await Promise.all(
    windows.map(async ({ id, at }) => {
      // A timer may fire a millisecond before its time.
      while (Date.now() < at) await sleep(at - Date.now())
      await start(id)
    }),
  )
}

process.on('message', (timers: Timers) => void run(timers).then(() => process.send?.({ done: true })))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: {} })
