import { Banner } from '../../../persistence/entities/banner.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { Owner } from './owner.ts'

interface NewBanner {
  natural: string
  stage: string
  message: string
}

/** A banner in place of those that are open: operators see of each beat and each group the newest alone. */
export async function showBanner(
  work: WorkContext,
  owner: Owner,
  { natural, stage, message }: NewBanner,
): Promise<Banner | null> {
  const { tx, pageId, now } = work
  const natural_key = `${owner.kind}:${owner.record.id}:${natural}`
  if ((await tx.count(Banner, { natural_key })) > 0) return null
  await endBanners(work, owner, 'a newer banner')
  const banner = tx.create(Banner, {
    page_id: pageId,
    ...subjectOf(owner),
    beat_id: owner.worstBeat.id,
    ...{ natural_key, stage, message },
    created_at: now,
    dismissed_at: null,
    dismissed_by: null,
  })
  await tx.flush()
  return banner
}

/** How the banners are called that say that something flaps. */
export const FLAPPING = 'flapping'

const which = {
  all: {},
  /** But for what is said of recovery itself. */
  ill: { stage: { $ne: 'healthy' } },
  flapping: { natural_key: { $like: `%:${FLAPPING}:%` } },
}

/** Ends those that are open. Answers how many that were. */
export async function endBanners(
  { tx, now }: WorkContext,
  subject: Subject,
  by: string,
  those: keyof typeof which = 'all',
): Promise<number> {
  const open = await tx.find(Banner, { ...subjectOf(subject), dismissed_at: null, ...which[those] })
  for (const banner of open) Object.assign(banner, { dismissed_at: now, dismissed_by: by })
  return open.length
}

/** The banner of its flapping, if nothing else was shown since, be it that it is ended. */
export async function lastIfFlapping({ tx }: WorkContext, subject: Subject): Promise<Banner | null> {
  const last = await tx.findOne(Banner, subjectOf(subject), { orderBy: { id: 'desc' } })
  return last?.natural_key.includes(`:${FLAPPING}:`) ? last : null
}

type Subject = Pick<Owner, 'kind' | 'record'>

const subjectOf = ({ kind, record }: Subject) =>
  kind === 'beat' ? { beat_id: record.id, beat_group_id: null } : { beat_group_id: record.id }

/** For operators, who may read what was seen. */
export function bannerWords(
  { record }: Owner,
  { to_stage, evidence }: Pick<BeatTransition, 'to_stage' | 'evidence'>,
): string {
  const seen = evidence.trim()
  return `"${record.name}" ${inWords[to_stage] ?? `is ${to_stage}`}${seen ? `: ${seen}` : '.'}`
}

const inWords: Record<string, string> = { warning: 'gives a warning', healthy: 'is healthy again' }
