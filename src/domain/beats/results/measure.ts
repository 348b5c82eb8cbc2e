import type { EntityManager } from '@mikro-orm/postgresql'
import { type Counted, countsOf } from '../../../persistence/beat-metrics.ts'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { Window } from '../definition/range-rules.ts'
import { isReported } from '../types/index.ts'
import { type Series, seriesOf } from './figures-rules.ts'
import { type Change, healthySeries } from './stage-time-rules.ts'

type Measured = Pick<Beat, 'id' | 'type'>

/** The figures of a beat in a window; without checks, the share of the time in which the beat was healthy. */
export interface Measure {
  series: Series
  counts: Counted[]
}

export async function measure(tx: EntityManager, beats: Measured[], window: Window): Promise<Map<number, Measure>> {
  const reported = beats.filter(({ type }) => isReported(type))
  const ids = beats.filter(({ type }) => !isReported(type)).map(({ id }) => id)
  const counts = Map.groupBy(ids.length > 0 ? await countsOf(tx, ids, window) : [], ({ beat_id }) => beat_id)
  const found = new Map<number, Measure>()
  for (const id of ids) {
    const own = counts.get(id) ?? []
    found.set(id, { series: seriesOf(own, window.points, window.resolution_seconds * 1000), counts: own })
  }
  for (const { id } of reported) {
    found.set(id, { series: healthySeries(await changesOf(tx, id, window), window), counts: [] })
  }
  return found
}

/** The stage changes in a window, and the last change before. */
async function changesOf(tx: EntityManager, beatId: number, { from, to }: Window): Promise<Change[]> {
  const own = { owner_kind: 'beat' as const, owner_id: beatId }
  const orderBy = { number: 'desc' as const }
  const before = await tx.find(BeatTransition, { ...own, at: { $lt: from } }, { orderBy, limit: 1 })
  const during = await tx.find(BeatTransition, { ...own, at: { $gte: from, $lt: to } }, { orderBy: { number: 'asc' } })
  return [...before, ...during].map(({ at, to_stage }) => ({ at: at.getTime(), status: to_stage }))
}
