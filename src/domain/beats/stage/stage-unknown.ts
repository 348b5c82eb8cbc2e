import { LockMode } from '@mikro-orm/postgresql'
import { workflowIdOf } from '../../../../workflows/processes.ts'
import { tailsOf } from '../../../persistence/beat-results.ts'
import { Beat } from '../../../persistence/entities/beat.ts'
import { ProcessNote } from '../../../persistence/entities/process-note.ts'
import type { Services } from '../../kernel/services.ts'
import { inUnitOfWork } from '../../kernel/unit-of-work.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { silentAfterMs } from './evaluate-results.ts'

const MINUTE_MS = 60_000
/** More than the longest delay of a check. */
const LATE_MS = MINUTE_MS
/** A worker that cannot check a beat reports this more often. */
const REPORTED_WITHIN_MS = 10 * MINUTE_MS

interface Why {
  region: string
  because: string
}

/**
 * Records that a region does not check a beat, or cannot. If no other region checks the beat either, its stage becomes
 * unknown, with one note. Otherwise there is one note for each such time. Returns when to call again, or null.
 */
export async function markUnchecked(work: WorkContext, beatId: number, why: Why): Promise<Date | null> {
  const { tx, now } = work
  const beat = await tx.findOne(Beat, { id: beatId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  if (!beat?.enabled || beat.unknown_since || !beat.regions.includes(why.region)) return null
  const checking = await checkingRegions(work, beat)
  const here = checking.get(why.region)
  if (here) return here
  if (checking.size > 0) {
    await noteOnce(work, beat, why, [...checking.keys()])
    return new Date(Math.max(...[...checking.values()].map((until) => until.getTime())))
  }
  const first = beat.regions.length > 1 ? firstElsewhere(beat) : now
  if (first > now) return first
  beat.unknown_since = now
  beat.unknown_because = why.because
  note(work, beat, `all regions: ${why.because}`, `No region checks the beat (${why.because}). The stage is unknown.`)
  return null
}

/** The same for many beats of any page; returns the moments at which to call again. */
export async function markManyUnchecked(
  services: Services,
  beats: { id: number; page_id: number }[],
  why: Why,
): Promise<Date[]> {
  const again: (Date | null)[] = []
  for (const [pageId, here] of Map.groupBy(beats, ({ page_id }) => page_id)) {
    await inUnitOfWork(services, pageId, async (work) => {
      for (const { id } of here) again.push(await markUnchecked(work, id, why))
    })
  }
  return again.filter((one) => one !== null)
}

/** The regions whose last result still counts, and until when the result counts. */
async function checkingRegions({ tx, now }: WorkContext, beat: Beat): Promise<Map<string, Date>> {
  const silent = silentAfterMs(beat)
  const since = new Date(now.getTime() - silent - LATE_MS)
  const results = await tailsOf(tx, beat, { regions: beat.regions, depth: 1, since })
  const regions = results.map(({ region, at }) => [region, new Date(at.getTime() + silent)] as const)
  return new Map(regions.filter(([, until]) => until >= now).sort(([a], [b]) => a.localeCompare(b)))
}

/** By when another region has checked a new or changed beat for the first time. */
const firstElsewhere = ({ updated_at, interval_seconds, timeout_ms }: Beat): Date =>
  new Date(updated_at.getTime() + Math.min(interval_seconds * 1000, MINUTE_MS) + timeout_ms)

async function noteOnce(work: WorkContext, beat: Beat, { region, because }: Why, others: string[]): Promise<void> {
  const { tx, now } = work
  const cause = `region ${region}: ${because}`
  const written = { workflow_id: workflowIdOf({ kind: 'beat', id: beat.id }), cause }
  const last = await tx.findOne(ProcessNote, written, { orderBy: { id: 'desc' } })
  if (last) {
    // A result of the region after the last note begins another time. Such a result is recent: reports are frequent.
    const recently = now.getTime() - 2 * silentAfterMs(beat) - REPORTED_WITHIN_MS
    const since = new Date(Math.max(last.at.getTime(), recently))
    const [result] = await tailsOf(tx, beat, { regions: [region], depth: 1, since })
    if (!result) return
  }
  const message = `Region ${region} does not check the beat (${because}). The beat is still checked from ${others.join(', ')}.`
  note(work, beat, cause, message)
}

function note({ tx, pageId, now }: WorkContext, beat: Beat, cause: string, message: string): void {
  const workflow_id = workflowIdOf({ kind: 'beat', id: beat.id })
  tx.create(ProcessNote, { page_id: pageId, workflow_id, at: now, cause, message })
}
