const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The length of each range and of its points. Points of an hour or more are made of hours. */
const lengths = {
  '1h': [HOUR, MINUTE],
  '24h': [DAY, 10 * MINUTE],
  '7d': [7 * DAY, HOUR],
  '30d': [30 * DAY, 6 * HOUR],
  '90d': [90 * DAY, DAY],
} as const

export type Range = keyof typeof lengths
export const ranges = Object.keys(lengths) as [Range, ...Range[]]

export interface Window {
  range: Range
  from: Date
  to: Date
  resolution_seconds: number
  /** The starts of the points. The last point is still growing. */
  points: number[]
  byHour: boolean
}

/** The window of a range. Points are aligned to UTC, independent of the moment of the request. */
export function windowOf(range: Range, now: Date): Window {
  const [length, resolution_seconds] = lengths[range]
  const step = resolution_seconds * 1000
  const last = Math.floor(now.getTime() / step) * step
  const count = length / resolution_seconds
  const points = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * step)
  return { range, from: new Date(points[0]!), to: now, resolution_seconds, points, byHour: resolution_seconds >= HOUR }
}

export const shorter = (a: Range, b: Range): Range => (lengths[a][0] <= lengths[b][0] ? a : b)
