import { LockMode } from '@mikro-orm/postgresql'
import { tailsOf } from '../../../persistence/beat-results.ts'
import { Beat } from '../../../persistence/entities/beat.ts'
import { ProcessNote } from '../../../persistence/entities/process-note.ts'
import type { Services } from '../../kernel/services.ts'
import { inUnitOfWork } from '../../kernel/unit-of-work.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { beatProcess } from '../definition/subject.ts'
import { silentAfterMs } from './evaluate-results.ts'

const MINUTE_MS = 60_000
/** How late a check may begin, and more. */
const LATE_MS = MINUTE_MS
/** Whoever cannot check a beat tries to say so more often than this. */
const TRIED_WITHIN_MS = 10 * MINUTE_MS

interface Why {
  region: string
  because: string
}

/**
 * Nobody checks this beat from a region, or can. If no other does so either, its stage is not known any more, and that
 * is said once; if others do, that is said once for each time. Answers when it is worth another look, or nothing.
 */
export async function markUnchecked(work: WorkContext, beatId: number, why: Why): Promise<Date | null> {
  const { tx, now } = work
  const beat = await tx.findOne(Beat, { id: beatId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  if (!beat?.enabled || beat.unknown_since || !beat.regions.includes(why.region)) return null
  const heard = await heardUntil(work, beat)
  const here = heard.get(why.region)
  if (here) return here
  if (heard.size > 0) {
    await sayOnce(work, beat, why, [...heard.keys()])
    return new Date(Math.max(...[...heard.values()].map((until) => until.getTime())))
  }
  const first = beat.regions.length > 1 ? firstElsewhere(beat) : now
  if (first > now) return first
  beat.unknown_since = now
  beat.unknown_because = why.because
  note(work, beat, `not checked: ${why.because}`)
  return null
}

/** The same of many beats, of whichever pages they are; answers when which is worth another look. */
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

/** The regions that have something to say about the present, and until when what they said counts. */
async function heardUntil({ tx, now }: WorkContext, beat: Beat): Promise<Map<string, Date>> {
  const silent = silentAfterMs(beat)
  const since = new Date(now.getTime() - silent - LATE_MS)
  const results = await tailsOf(tx, beat, { regions: beat.regions, depth: 1, since })
  const heard = results.map(({ region, at }) => [region, new Date(at.getTime() + silent)] as const)
  return new Map(heard.filter(([, until]) => until >= now).sort(([a], [b]) => a.localeCompare(b)))
}

/** When another region has checked a beat that is new, or another than before, for the first time. */
const firstElsewhere = ({ updated_at, interval_seconds, timeout_ms }: Beat): Date =>
  new Date(updated_at.getTime() + Math.min(interval_seconds * 1000, MINUTE_MS) + timeout_ms)

async function sayOnce(work: WorkContext, beat: Beat, { region, because }: Why, others: string[]): Promise<void> {
  const { tx, now } = work
  const words = `not checked from ${region}: ${because}; `
  const last = { orderBy: { id: 'desc' }, limit: 20 } as const
  const notes = await tx.find(ProcessNote, { workflow_id: beatProcess(beat), cause: 'region' }, last)
  const said = notes.find(({ message }) => message.startsWith(words))
  if (said) {
    // It is another time if the region was heard between: not long ago, or this would have been said then.
    const lately = now.getTime() - 2 * silentAfterMs(beat) - TRIED_WITHIN_MS
    const since = new Date(Math.max(said.at.getTime(), lately))
    const [result] = await tailsOf(tx, beat, { regions: [region], depth: 1, since })
    if (!result) return
  }
  note(work, beat, `${words}still checked from ${others.join(', ')}`)
}

function note({ tx, pageId, now }: WorkContext, beat: Beat, message: string): void {
  tx.create(ProcessNote, { page_id: pageId, workflow_id: beatProcess(beat), at: now, cause: 'region', message })
}
