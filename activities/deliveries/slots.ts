/** How many deliveries a process has in flight: sent, or about to be sent, and without a stored outcome. */
const WIDTH = 32
/** A channel of a page waits for at most so many receivers: a dead mail server delays neither webhooks nor other pages. */
const WIDTH_OF_LANE = 22

interface Waiting {
  lane: string
  most: number
  granted(count: number): void
}

export interface Slots {
  /** Waits for at least one free slot of the lane; returns how many were taken. */
  take(lane: string, most: number): Promise<number>
  /** The lane waits for so many receivers less. Their slots stay taken until the outcomes are stored. */
  answered(lane: string, count: number): void
  give(count: number): void
  /** What is being sent to the address; undefined for nothing. */
  busy(address: string): Promise<void> | undefined
  keepBusy(address: string, sending: Promise<void>): void
}

export function createSlots({ width = WIDTH, widthOfLane = WIDTH_OF_LANE } = {}): Slots {
  let free = width
  const used = new Map<string, number>()
  const waiting: Waiting[] = []
  const sendings = new Map<string, Promise<void>>()

  function available({ lane, most }: Pick<Waiting, 'lane' | 'most'>): number {
    return Math.max(0, Math.min(most, free, widthOfLane - (used.get(lane) ?? 0)))
  }

  function grant(): void {
    for (const one of [...waiting]) {
      const count = available(one)
      if (count === 0) continue
      waiting.splice(waiting.indexOf(one), 1)
      free -= count
      used.set(one.lane, (used.get(one.lane) ?? 0) + count)
      one.granted(count)
    }
  }

  return {
    busy: (address) => sendings.get(address),
    keepBusy(address, sending) {
      sendings.set(address, sending)
      void sending.finally(() => sendings.delete(address))
    },
    take(lane, most) {
      const { promise, resolve } = Promise.withResolvers<number>()
      waiting.push({ lane, most, granted: resolve })
      grant()
      return promise
    },
    answered(lane, count) {
      const left = (used.get(lane) ?? 0) - count
      if (left > 0) used.set(lane, left)
      else used.delete(lane)
      grant()
    },
    give(count) {
      free += count
      grant()
    },
  }
}
