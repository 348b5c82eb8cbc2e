const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `-15m` is fifteen minutes before the arrival of the event, as milliseconds since 1970; other values stay. */
export function relativeMoment(value: unknown, receivedAt: number): unknown {
  const [, sign, count, unit] = (typeof value === 'string' && /^([+-])(\d{1,6})([smhd])$/.exec(value)) || []
  if (unit === undefined) return value
  return receivedAt + (sign === '-' ? -1 : 1) * Number(count) * UNITS[unit as keyof typeof UNITS]
}

export const isRelativeMoment = (value: unknown): boolean => relativeMoment(value, 0) !== value
