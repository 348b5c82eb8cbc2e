import { setImmediate as turn } from 'node:timers/promises'
import type { Timers } from '../../activities/lease/timers.ts'

/** A clock that the test moves, which runs the timers that it passes in their order. */
export interface FakeTimers extends Timers {
  pass(ms: number): Promise<void>
  /** The machine was frozen: time has passed, and no timer has run. */
  freeze(ms: number): void
  /** Sets the clock without passing time. */
  set(ms: number): void
  pending(): number
}

export function fakeTimers(start = Date.parse('2026-03-02T09:00:00.000Z')): FakeTimers {
  // Timers use elapsed time, not the time of the clock.
  let now = start
  let shift = 0
  const waiting = new Set<{ at: number; run: () => void }>()
  return {
    now: () => now + shift,
    after(ms, run) {
      const one = { at: now + ms, run }
      waiting.add(one)
      return () => waiting.delete(one)
    },
    pending: () => waiting.size,
    freeze(ms) {
      now += ms
    },
    set(ms) {
      shift += ms
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        // The timer may have promises that settle before the next timer.
        for (let n = 0; n < 3; n += 1) await turn()
        const [next] = [...waiting].sort((a, b) => a.at - b.at)
        if (!next || next.at > end) break
        now = Math.max(now, next.at)
        waiting.delete(next)
        next.run()
      }
      now = end
    },
  }
}
