/**
 * The points of a step, in order. The fault tests kill a worker at each point; elsewhere a point has no effect. Not all kinds
 * of processes pass the points `entry written`, `items moved` and `turn taken`.
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
  'others notified',
] as const

/** Around the storing of what receivers answered. */
const deliveryPoints = ['deliveries sent', 'outcomes saved'] as const

/** With the point before the first step: the facts are committed, and no process has been woken yet. */
export const crashPoints = ['facts committed', ...stepPoints, ...deliveryPoints] as const

export type CrashPoint = (typeof crashPoints)[number]

export interface Crash {
  point: CrashPoint
  /** Passes before this moment do not count: the first step of a new subject passes most points with nothing due. */
  from: Date
}

/** Parses the value of the environment variable, such as `entry written@2026-03-01T10:00:00Z`. */
export function parseCrash(text: string): Crash | undefined {
  const [name, moment] = text.split('@')
  const point = crashPoints.find((one) => one === name)
  const from = new Date(moment ?? '')
  return point && !Number.isNaN(from.getTime()) ? { point, from } : undefined
}
