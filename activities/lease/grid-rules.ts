/**
 * When a beat is checked. Slot n of a beat in a region is due at n intervals since 1970 plus a phase, which is computed from
 * the beat and the region alone: slots do not drift with the duration of checks, and a restart does not move them. Phases are
 * multiples of a grain, so that some beats are due together: a process that wakes up for each check alone takes more CPU.
 */

export interface Grid {
  interval: number
  phase: number
}

/** The next slot of a beat, and the moment at which the slot is taken. */
export interface Turn {
  slot: number
  at: number
}

const SECOND = 1000
const LATEST_MS = 30 * SECOND
const SHORT_MS = 60 * SECOND
const FIRST_WITHIN_MS = 10 * SECOND
const LARGEST_GRAIN_MS = 100
/** The grains of a short interval, so that checks that begin together stay few. */
const GRAINS = 300

export function gridOf(beatId: number, region: string, intervalMs: number): Grid {
  const grain = grainOf(intervalMs)
  const phase = spread(`${beatId}:${region}`) % intervalMs
  return { interval: intervalMs, phase: phase - (phase % grain) }
}

const grainOf = (intervalMs: number) => Math.min(Math.ceil(intervalMs / GRAINS), LARGEST_GRAIN_MS)

export const dueOf = ({ interval, phase }: Grid, slot: number) => slot * interval + phase

/** The last slot that is due by now. */
export const slotAt = ({ interval, phase }: Grid, now: number) => Math.floor((now - phase) / interval)

/**
 * How late a slot may be taken. A later slot is skipped: after a gap all missed checks would begin at once. A beat with an
 * interval of a day has half a minute, because its next slot is far away.
 */
export function patienceOf({ interval }: Grid): number {
  return Math.min(Math.max(interval / 30, Math.min(interval / 2, SECOND)), LATEST_MS)
}

/** The first turn after the last result, which was due at `lastDue`. A beat without any result is checked soon. */
export function firstTurn(grid: Grid, now: number, lastDue: number | null): Turn {
  const slot = slotAt(grid, now)
  const due = dueOf(grid, slot)
  if (lastDue !== null && lastDue >= due) return { slot: slot + 1, at: dueOf(grid, slot + 1) }
  if (now - due <= patienceOf(grid)) return { slot, at: now }
  const next = dueOf(grid, slot + 1)
  const soon = now + (grid.phase % FIRST_WITHIN_MS)
  if (lastDue === null && grid.interval > SHORT_MS && soon < next) return { slot, at: soon }
  return { slot: slot + 1, at: next }
}

/** FNV-1a with a final mix, so that consecutive ids get distant phases. */
function spread(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
