/** What a record shows at once, and what is folded. Pure. */

const NAMED_ITEMS = 12

/** The visible names and the folded names. */
export const foldNames = <N>(names: N[]) => ({ shown: names.slice(0, NAMED_ITEMS), folded: names.slice(NAMED_ITEMS) })

const NEWEST_UPDATES = 5
const MOST_UPDATES = 100

/** The visible updates, the folded updates, and the number of updates that only the API shows. */
export function timelineOf<U>(updates: U[]): { newest: U[]; older: U[]; left: number } {
  return {
    newest: updates.slice(0, NEWEST_UPDATES),
    older: updates.slice(NEWEST_UPDATES, MOST_UPDATES),
    left: Math.max(0, updates.length - MOST_UPDATES),
  }
}
