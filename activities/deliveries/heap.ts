import { setFlagsFromString } from 'node:v8'

/**
 * On a machine with much memory, V8 collects late: it lets old objects grow to four times what was in use after the last
 * collection. The messages of a large notification live long enough to become such garbage, and the worker grew by 270 MB that
 * nothing used. V8 reads the flag at each collection. Without deliveries it stays off, because checks would pay for it.
 * `--max-semi-space-size`, which bounds the young objects, stands where the worker is started.
 */
const WHILE_SENDING = 20
const OFF = 0

const setGrowth = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`)

/** Bounds the growth of the heap while anything is sent. */
export function boundHeap(grow: (percent: number) => void = setGrowth) {
  let sending = 0
  return async <T>(send: () => Promise<T>): Promise<T> => {
    sending += 1
    if (sending === 1) grow(WHILE_SENDING)
    try {
      return await send()
    } finally {
      sending -= 1
      if (sending === 0) grow(OFF)
    }
  }
}
