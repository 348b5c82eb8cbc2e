/** The rows of one statement. To write more as JSON would hold the event loop for too long. */
const MOST_ROWS = 500

/** A long list in parts, for one statement each. */
export function* partsOf<T>(rows: T[]): Generator<T[]> {
  for (let at = 0; at < rows.length; at += MOST_ROWS) yield rows.slice(at, at + MOST_ROWS)
}
