import { setImmediate } from 'node:timers/promises'

/** The work of so many elements holds the event loop for a few milliseconds. */
const ELEMENTS_AT_ONCE = 500

/** Lets others have the event loop after the work of every few hundred elements. */
export function openPauses(): (elements: number) => Promise<void> {
  let done = 0
  return async (elements) => {
    done += elements
    if (done < ELEMENTS_AT_ONCE) return
    done = 0
    await setImmediate()
  }
}
