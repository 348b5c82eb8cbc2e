/** How many beats one lease checks. */
const SHARD_SIZE = 100

/** The shards for so many new beats: holes are filled first, in the lowest shard that has any. */
export function placesFor(taken: Map<number, number>, count: number): number[] {
  const places: number[] = []
  for (let shard = 0; places.length < count; shard += 1) {
    const free = SHARD_SIZE - (taken.get(shard) ?? 0)
    for (let n = 0; n < free && places.length < count; n += 1) places.push(shard)
  }
  return places
}
