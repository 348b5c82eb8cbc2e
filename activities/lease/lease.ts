import type { Timers } from './timers.ts'

/** `empty`: the shard has no beats; `lost`: another process checks the shard; `over`: the lease or this process ends. */
export type HeldEnd = 'empty' | 'lost' | 'over'

/** A shard that this process holds. */
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

/** The SDK throttles heartbeats: every second one reaches Temporal. */
const HEARTBEAT_MS = 2000

export type LeaseEnd = HeldEnd | 'cancelled'

/** One lease of a shard. Its heartbeats show Temporal that a process checks the shard. */
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
