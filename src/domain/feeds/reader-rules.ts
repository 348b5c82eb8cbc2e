/** For how long a reader of a feed counts. */
export const READERS_FOR_MS = 7 * 24 * 60 * 60 * 1000

/** How many readers of a feed are stored. A client that sends many names of programs raises the count no further. */
export const READERS_AT_MOST = 50_000
