import { Foundation } from './0001-foundation.ts'

/** In the order in which they run. A migration that has been released never changes. */
export const migrations = [{ name: '0001-foundation', class: Foundation }]
