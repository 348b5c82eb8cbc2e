/** Remembers what is costly to make by a key. With too many keys it forgets all: those in use come back soon. */
export function remembering<V>(most: number): (key: string, make: () => V) => V {
  const known = new Map<string, V>()
  return (key, make) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make()
    if (known.size >= most) known.clear()
    known.set(key, made)
    return made
  }
}
