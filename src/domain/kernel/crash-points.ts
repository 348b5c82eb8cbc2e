/**
 * Where a step can be cut short, in order. The fault tests kill a worker at each of them; anywhere else it does nothing.
 * Not all kinds of processes pass the points of a turn: the entry, the items, the turn.
 */
export const stepPoints = [
  'step called',
  'wake-ups taken',
  'entry written',
  'items moved',
  'turn taken',
  'facts written',
  'ledger written',
  'process saved',
  'requests answered',
  'step committed',
  'others told',
] as const

/** And before the first step: the facts are committed, and whoever wrote them has woken nobody yet. */
export const crashPoints = ['facts committed', ...stepPoints] as const

export type CrashPoint = (typeof crashPoints)[number]

export interface Crash {
  point: CrashPoint
  /** Passing it before does not count: the first look at a new subject passes most of them with nothing due. */
  from: Date
}

/** From how the environment says it: `entry written@2026-03-01T10:00:00Z`. */
export function parseCrash(text: string): Crash | undefined {
  const [name, moment] = text.split('@')
  const point = crashPoints.find((one) => one === name)
  const from = new Date(moment ?? '')
  return point && !Number.isNaN(from.getTime()) ? { point, from } : undefined
}
