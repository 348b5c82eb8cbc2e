import { shortened } from './text-rules.ts'

/** A record in a sentence for a person: `"Search" (5)`. */
export const named = (name: string, id: number): string => `"${shortened(name)}" (${id})`
