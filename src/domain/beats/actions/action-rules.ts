import type { ActionPolicy, PolicyStage } from '../definition/policies.ts'
import { type Stage, severity } from '../stage/stage-rules.ts'

/** Which actions follow from a transition. Pure: no clock, no database. */

export type PostKind = 'open' | 'update' | 'resolve' | 'reopen'

export interface Situation {
  /** As sentences name the owner: `the beat "Search" (5)`. */
  owner: string
  /** Why the owner takes no action now: `the beat "Search" (5) is muted until …`. */
  suppressed: string | null
  from: Stage | null
  to: Stage
  /** The stage that the actions of the owner reflect so far. */
  acted: Stage | null
  /** The action policy for the stage `to`, and its name among the policies. */
  policy: ActionPolicy
  policyStage: PolicyStage
  /** The group that takes the public actions of this member: `the group "API" (3)`. */
  group: string | null
  incident: {
    /** `ended by a person`: the incident was resolved or deleted before the owner recovered. */
    state: 'none' | 'open' | 'resolved' | 'ended by a person'
    name: string
    /** Whether the policy and the page allow reopening a resolved incident. */
    reopens: boolean
  }
  /** The policy for recovery names a status that keeps the incident open. */
  staysOpen: boolean
  /** The limit of public posts by the trigger of the event behind the transition. */
  postLimit?: 'draft_only' | 'automatic' | undefined
  /** Whether there is an affected item or a freetext that an incident can name. */
  affects: boolean
}

interface Post {
  kind: PostKind
  mode: 'draft_only' | 'automatic'
}

/** `reason` is the sentence that the transition keeps: why there is no action, or no public action. */
export type Decision =
  | { does: 'wait' | 'nothing'; reason: string }
  | { does: 'act'; banner: boolean; post: Post | null; reason: string | null }

export function decideActions(situation: Situation): Decision {
  const { owner, suppressed, from, to, acted, policy, incident } = situation
  if (suppressed) return { does: 'wait', reason: waitingFor(suppressed) }
  if (to === 'healthy' && (acted ?? 'healthy') === 'healthy') {
    const first = `healthy is the first known stage of ${owner}`
    const healthy = `${owner} is healthy and ${incident.state === 'open' ? 'has acted on that' : 'has no open incident'}`
    return { does: 'nothing', reason: `No action: ${from === null ? first : healthy}` }
  }
  const banner = policy.admin_banner === true
  const post = decidePost(situation)
  if ('kind' in post) return { does: 'act', banner, post, reason: null }
  if (banner)
    return { does: 'act', banner, post: null, reason: policy.public_post ? `No public action: ${post.reason}` : null }
  return { does: 'act', banner, post: null, reason: `No action: ${post.reason}` }
}

/** The reason of a transition whose owner is suppressed. */
export const waitingFor = (because: string) => `Waiting: ${because}`

type Mode = 'draft_only' | 'automatic'

/** The mode of a public post: a draft, unless each of the two allows an automatic post. */
export const stricterMode = (policy: Mode | undefined, limit: Mode | undefined): Mode =>
  limit === 'draft_only' ? limit : (policy ?? 'draft_only')

/** The public action, or the reason why there is none. */
export function decidePost(situation: Situation): Post | { reason: string } {
  const { owner, to, policy, policyStage, group, affects } = situation
  if (group) return { reason: `${group} takes the public actions of ${owner}` }
  if (!policy.public_post) return { reason: `the action policies of ${owner} set no public post for ${policyStage}` }
  const kind = to === 'healthy' ? kindAtRecovery(situation) : kindWhileIll(situation, to)
  if (typeof kind !== 'string') return kind
  if ((kind === 'open' || kind === 'reopen') && !affects) return { reason: withoutAffectedItems(owner) }
  return { kind, mode: stricterMode(policy.public_post_mode, situation.postLimit) }
}

export const withoutAffectedItems = (owner: string) => `${owner} has no affected item and no affected_items_freetext`

function kindAtRecovery({ owner, incident, staysOpen }: Situation): PostKind | { reason: string } {
  if (incident.state === 'open') return staysOpen ? 'update' : 'resolve'
  if (incident.state === 'ended by a person') return { reason: `a person has ended ${incident.name}` }
  return { reason: `${owner} is healthy and has no open incident` }
}

function kindWhileIll({ acted, incident }: Situation, to: Stage): PostKind | { reason: string } {
  if (incident.state === 'open') return 'update'
  if (incident.state === 'none') return 'open'
  const worst = severity(acted) > severity('healthy') ? acted : 'healthy'
  // A person ended the incident during a stage that was as bad: only a worse stage is news.
  if (incident.state === 'ended by a person' && severity(to) <= severity(worst)) {
    return { reason: `a person has ended ${incident.name}, and ${to} is no worse than ${worst}` }
  }
  return incident.reopens ? 'reopen' : 'open'
}

interface Type {
  key: string
  is_operational: boolean
  archived: boolean
}

const usualStatus: Partial<Record<Stage, string>> = { warning: 'degraded', critical: 'major_outage' }

/** The status of an incident whose policy names none: the usual one of the stage, if the page has that status type. */
export function statusOf(stage: Stage, types: Type[], otherwise: string | undefined): string | undefined {
  const usual = types.find(
    ({ key, archived, is_operational }) => key === usualStatus[stage] && !archived && !is_operational,
  )
  return usual?.key ?? otherwise
}
