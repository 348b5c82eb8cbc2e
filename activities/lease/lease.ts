import type { Timers } from './timers.ts'

/** There is nothing to check any more; somebody else checks it; this process ends. */
export type HeldEnd = 'empty' | 'lost' | 'over'

/** A shard in the hands of this process. */
export interface Holding {
  over: Promise<HeldEnd>
  release(): void
}

interface Options {
  timers: Timers
  hold(): Promise<Holding>
  heartbeat(): void
  signal: AbortSignal
  lengthMs: number
}

/** Temporal is told each second time: its SDK holds the others back. */
const HEARTBEAT_MS = 2000

export type LeaseEnd = HeldEnd | 'cancelled'

/** One lease of a shard: as long as it lasts, whoever gave it knows that the shard is looked after. */
export async function lease({ timers, hold, heartbeat, signal, lengthMs }: Options): Promise<LeaseEnd> {
  const end = Promise.withResolvers<LeaseEnd>()
  const cancel = () => end.resolve('cancelled')
  if (signal.aborted) return 'cancelled'
  signal.addEventListener('abort', cancel, { once: true })
  let stop = () => {}
  const deadline = timers.now() + lengthMs
  const beat = () => {
    heartbeat()
    const left = deadline - timers.now()
    if (left <= 0) end.resolve('over')
    else stop = timers.after(Math.min(HEARTBEAT_MS, left), beat)
  }
  beat()
  try {
    const holding = await hold()
    void holding.over.then(end.resolve)
    const how = await end.promise
    holding.release()
    return how
  } finally {
    stop()
    signal.removeEventListener('abort', cancel)
  }
}
