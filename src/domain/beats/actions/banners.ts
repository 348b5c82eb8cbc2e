import { Banner } from '../../../persistence/entities/banner.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { Owner } from '../definition/owner.ts'
import type { Done } from './action-effects.ts'

interface NewBanner {
  natural: string
  stage: string
  message: string
}

/** Shows a banner in place of the open ones: each beat and each group has one open banner. */
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

/** The part of the natural key that marks a banner about flapping. */
export const FLAPPING = 'flapping'

const which = {
  all: {},
  flapping: { natural_key: { $like: `%:${FLAPPING}:%` } },
}

/** Ends the open banners of the owner. */
export async function endBanners(
  { tx, now }: WorkContext,
  subject: Subject,
  by: string,
  those: keyof typeof which = 'all',
): Promise<void> {
  const open = await tx.find(Banner, { ...subjectOf(subject), dismissed_at: null, ...which[those] })
  for (const banner of open) Object.assign(banner, { dismissed_at: now, dismissed_by: by })
}

/** The last banner of the owner, open or ended, if that banner is about flapping. */
export async function lastBannerIfFlapping({ tx }: WorkContext, subject: Subject): Promise<Banner | null> {
  const last = await tx.findOne(Banner, subjectOf(subject), { orderBy: { id: 'desc' } })
  return last?.natural_key.includes(`:${FLAPPING}:`) ? last : null
}

type Subject = Pick<Owner, 'kind' | 'record'>

const subjectOf = ({ kind, record }: Subject) =>
  kind === 'beat' ? { beat_id: record.id, beat_group_id: null } : { beat_group_id: record.id }

/** The text of a banner. Operators may read the evidence. */
export function bannerText(
  { record }: Owner,
  { to_stage, evidence }: Pick<BeatTransition, 'to_stage' | 'evidence'>,
): string {
  const seen = evidence.trim()
  return `"${record.name}" ${stageInWords[to_stage] ?? `is ${to_stage}`}${seen ? `: ${seen}` : '.'}`
}

const stageInWords: Record<string, string> = { warning: 'gives a warning', healthy: 'is healthy again' }

type Shown = Pick<NewBanner, 'natural' | 'stage'> & { evidence: string }

export async function showStageBanner(
  work: WorkContext,
  owner: Owner,
  { natural, stage, evidence }: Shown,
): Promise<Done[]> {
  const banner = await showBanner(work, owner, {
    natural,
    stage,
    message: bannerText(owner, { to_stage: stage, evidence }),
  })
  return banner ? [{ kind: 'banner', id: banner.id, message: `banner ${banner.id} shown` }] : []
}
