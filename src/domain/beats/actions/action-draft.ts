import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { statusTypes } from '../../vocabulary/lookup.ts'
import { defaultIncidentStatus, RESOLVED } from '../../vocabulary/rules.ts'
import type { Owner } from '../definition/owner.ts'
import { decidePost, type PostKind, statusOf } from './action-rules.ts'
import { freetextOf, type IncidentText, textFor } from './incident-text.ts'
import { type Facts, openStatus, readSituation } from './situation.ts'

/** The post of an action, as it was decided at the transition. */
export interface Draft extends IncidentText {
  kind: PostKind
  /** The incident that the post updates, resolves or reopens. */
  incident_id?: number
  incident_status: string
  lifecycle_stage_name?: string
  reminder_interval_minutes?: number | null
  impact: string | null
  affected_items_freetext: string | null
  items: number[]
}

export async function draftOf(
  work: WorkContext,
  owner: Owner,
  transition: BeatTransition,
  { to, policy, record: incident }: Facts,
  kind: PostKind,
): Promise<Draft> {
  const types = await statusTypes(work.tx)
  const status = (await openStatus(work, policy)) ?? statusOf(to, types, defaultIncidentStatus(types)) ?? ''
  const { lifecycle_stage_name, reminder_interval_minutes } = policy
  return {
    kind,
    ...(incident && kind !== 'open' ? { incident_id: incident.id } : {}),
    ...(await textFor(work, owner, transition)),
    incident_status: kind === 'resolve' ? RESOLVED : status,
    ...(lifecycle_stage_name === undefined ? {} : { lifecycle_stage_name }),
    ...(reminder_interval_minutes === undefined ? {} : { reminder_interval_minutes }),
    // A group without an impact or a freetext of its own uses those of its worst member.
    impact: owner.record.impact ?? owner.worstBeat.impact,
    affected_items_freetext: freetextOf(owner),
    items: owner.items,
  }
}

/** The draft that the policies of now give for an earlier transition, or the reason why there is nothing to post. */
export async function draftNow(
  work: WorkContext,
  owner: Owner,
  transition: BeatTransition,
): Promise<Draft | { reason: string }> {
  const facts = await readSituation(work, owner, transition, { acted: transition.from_stage })
  const post = decidePost(facts)
  return 'reason' in post ? post : draftOf(work, owner, transition, facts, post.kind)
}
