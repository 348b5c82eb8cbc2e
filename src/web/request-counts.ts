interface Window {
  count: number
  endsAt: number
}

export interface RequestCounts {
  /** Adds to the count of a key, or takes away from it; the answer is the count in the current window of the key. */
  add(key: string, points?: number): { count: number; endsInMs: number }
  readonly size: number
}

/** How many requests each key made in its window. With more keys than `maxKeys`, the oldest windows are forgotten. */
export function countRequests(windowMs: number, maxKeys: number, now = () => performance.now()): RequestCounts {
  // All windows have the same length, so the map holds them in the order in which they end.
  const windows = new Map<string, Window>()

  function forgetEnded(at: number): void {
    for (const [key, { endsAt }] of windows) {
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
      for (const oldest of windows.keys()) {
        if (windows.size <= maxKeys) break
        windows.delete(oldest)
      }
      return { count: window.count, endsInMs: window.endsAt - at }
    },
    get size() {
      return windows.size
    },
  }
}
