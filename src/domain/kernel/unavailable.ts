import { isDatabaseAway } from '../../persistence/failures.ts'
import { Problem } from './errors.ts'

/** Maps the errors of a database that is away, too slow or unable to write to `unavailable`; returns other errors as they are. */
export function asUnavailable(error: unknown): unknown {
  if (!isDatabaseAway(error)) return error
  return new Problem('unavailable', 'The database does not answer or cannot write now: try again later.', {
    cause: String(error),
  })
}

/** Runs work outside an operation that needs the database. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asUnavailable(error)
  }
}
