/** Keeps the results that were used last, up to a total cost. */
export function boundedCache<T>(most: number, make: (text: string) => { value: T; cost: number }): (text: string) => T {
  const kept = new Map<string, { value: T; cost: number }>()
  let total = 0
  return (text) => {
    const known = kept.get(text)
    const entry = known ?? make(text)
    kept.delete(text)
    kept.set(text, entry)
    if (!known) total += entry.cost
    for (const [oldest, { cost }] of kept) {
      if (total <= most) break
      kept.delete(oldest)
      total -= cost
    }
    return entry.value
  }
}
