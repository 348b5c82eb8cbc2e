/** The largest number of beats of a shard. Each shard reports to Temporal every few seconds, which costs more than a check. */
const SHARD_SIZE = 500

/** The shards for `count` new beats. Fills the free places of existing shards first, from the lowest number. */
export function placesFor(taken: Map<number, number>, count: number, size = SHARD_SIZE): number[] {
  const places: number[] = []
  for (let shard = 0; places.length < count; shard += 1) {
    const free = size - (taken.get(shard) ?? 0)
    for (let n = 0; n < free && places.length < count; n += 1) places.push(shard)
  }
  return places
}
