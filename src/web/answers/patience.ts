import { Problem } from '../../domain/kernel/errors.ts'

/** Fails after a time, so that the reader gets something else instead of waiting for the database. */
export function withPatience<T>(making: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<T>()
  const timer = setTimeout(() => late.reject(new Problem('unavailable', 'The database is slow.')), Math.max(0, ms))
  return Promise.race([making, late.promise]).finally(() => clearTimeout(timer))
}
