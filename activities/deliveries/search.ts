/** The search for recipients, part by part, while the recipients of earlier parts are sent to. */
export interface Search {
  /** The part that is being found; undefined after the last one. */
  part(): Promise<unknown> | undefined
  done: Promise<void>
}

/** Calls `find` until it answers that no part is left. */
export function startSearch(find: () => Promise<boolean>, signal: AbortSignal): Search {
  let part: Promise<boolean> | undefined

  async function run(): Promise<void> {
    try {
      do part = find()
      while ((await part) && !signal.aborted)
    } finally {
      part = undefined
    }
  }

  return { done: run(), part: () => part }
}

/** Claims what is due. With nothing due, the claim waits for the part that is being found, and looks again. */
export async function claimFound<T>(claim: () => Promise<T[]>, part: Search['part']): Promise<T[]> {
  for (;;) {
    const finding = part()
    const claimed = await claim()
    if (claimed.length > 0 || !finding) return claimed
    await finding
  }
}
