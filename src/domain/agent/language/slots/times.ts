import type { Slots } from '../types.ts'

export type Times = Pick<
  Slots,
  'start' | 'end' | 'minutes' | 'shift' | 'longer' | 'until' | 'at' | 'from' | 'to' | 'days' | 'date'
>

/** A second value for a slot is not taken. */
export function set<K extends keyof Times>(times: Times, slot: K, value: Times[K] | undefined): boolean {
  if (value === undefined || (times[slot] !== undefined && times[slot] !== value)) return false
  times[slot] = value
  return true
}

export const iso = (instant: Date | undefined): string | undefined =>
  instant && !Number.isNaN(instant.getTime()) ? instant.toISOString() : undefined
