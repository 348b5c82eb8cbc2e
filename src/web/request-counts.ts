interface Window {
  count: number
  endsAt: number
}

export interface RequestCounts {
  /** Adds points to the count of a key and returns the count in its current window. */
  add(key: string, points?: number): { count: number; endsInMs: number }
  readonly size: number
}

/** Counts the requests of each key in its window. With more than `maxKeys` keys the oldest windows are dropped. */
export function countRequests(windowMs: number, maxKeys: number, now = () => performance.now()): RequestCounts {
  // All windows have the same length, so the map is in the order of their ends.
  const windows = new Map<string, Window>()

  /** No window ends before this moment. */
  let firstEnd = 0

  function forgetEnded(at: number): void {
    if (at < firstEnd) return
    for (const [key, { endsAt }] of windows) {
      firstEnd = endsAt
      if (endsAt > at) return
      windows.delete(key)
    }
  }

  return {
    add(key, points = 1) {
      const at = now()
      forgetEnded(at)
      const window = windows.get(key) ?? { count: 0, endsAt: at + windowMs }
      window.count = Math.max(0, window.count + points)
      windows.set(key, window)
      if (windows.size > maxKeys) windows.delete(windows.keys().next().value!)
      return { count: window.count, endsInMs: window.endsAt - at }
    },
    get size() {
      return windows.size
    },
  }
}
