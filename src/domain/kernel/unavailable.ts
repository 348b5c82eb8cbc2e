import { isDatabaseAway } from '../../persistence/failures.ts'
import { Problem } from './errors.ts'

/** What a database that is away, too slow or unable to write means for a caller; other errors stay what they are. */
export function asUnavailable(error: unknown): unknown {
  if (!isDatabaseAway(error)) return error
  return new Problem('unavailable', 'The database does not answer or cannot write now: try again.', {
    cause: String(error),
  })
}

/** For what needs the database outside an operation. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asUnavailable(error)
  }
}
