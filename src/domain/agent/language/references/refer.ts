import type { Clause, Text } from '../text.ts'
import { byItem, byMemory, byState, byUnknownName } from './by-context.ts'
import { byName, byQuote } from './by-name.ts'
import { byAnyNumber, byNumber } from './by-number.ts'
import { type Reference, searchIn, type Wanted } from './search.ts'

/** How a clause refers to a record of some kinds: the surest way first. */
export function referTo(text: Text, clause: Clause, wanted: Wanted): Reference | undefined {
  const search = searchIn(text, clause, wanted)
  for (const way of [byNumber, byQuote, byName, byAnyNumber, byItem, byState, byUnknownName, byMemory]) {
    const reference = way(search)
    if (reference) return reference
  }
  return undefined
}
