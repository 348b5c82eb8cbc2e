import { isDatabaseAway } from '../../persistence/failures.ts'
import { Problem } from './errors.ts'

/** Says in the contract's way that the database is away; other errors stay what they are. */
export function asUnavailable(error: unknown): unknown {
  if (!isDatabaseAway(error)) return error
  return new Problem('unavailable', 'The database is away: try again.', { cause: String(error) })
}

/** For what needs the database outside an operation. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asUnavailable(error)
  }
}
