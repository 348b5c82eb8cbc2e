import { type Stage, severity } from '../stage/stage-rules.ts'

/** What a change of stage tells the public, decided from what stands there. Pure: no clock, no database. */

export type DraftKind = 'open' | 'update' | 'resolve' | 'reopen'

/**
 * The incident that the beat or the group is told by: none at present, one that is open, or one that somebody has ended
 * or deleted. Lately means that it may be opened again, be it that recovery ended it.
 */
export type Told = 'none' | 'open' | 'ended' | 'ended lately' | 'recovered lately'

interface Change {
  /** The stage that its actions reflect so far. */
  from: Stage | null
  to: Stage
  told: Told
  /** Of the policy, if it is there: whether the incident is open with it. */
  staysOpen: boolean
}

type Decision = DraftKind | { nothing: string }

export function decide({ from, to, told, staysOpen }: Change): Decision {
  if (to === 'healthy') {
    if (told === 'ended' || told === 'ended lately') return { nothing: 'its incident is over already' }
    if (told !== 'open') return { nothing: 'it has no open incident' }
    return staysOpen ? 'update' : 'resolve'
  }
  if (told === 'open') return 'update'
  if (told === 'none') return 'open'
  if (told === 'recovered lately') return 'reopen'
  const worse = severity(to) > Math.max(severity(from), severity('healthy'))
  // Somebody has ended it while it was worse than it is now: there is no reason to start again.
  if (!worse) return { nothing: 'the new stage is milder, and its incident is over already' }
  return told === 'ended lately' ? 'reopen' : 'open'
}

export type Verdict = 'allowed' | 'existing' | 'refused'

/** Which decisions on an action are possible in which state. One that failed waits for somebody again. */
const verdicts: Record<'approve' | 'reject', Record<string, Verdict>> = {
  approve: { pending_review: 'allowed', failed: 'allowed', approved: 'existing', executed: 'existing' },
  reject: { pending_review: 'allowed', failed: 'allowed', rejected: 'existing' },
}

export const verdictOn = (decision: 'approve' | 'reject', state: string): Verdict =>
  verdicts[decision][state] ?? 'refused'

interface Type {
  key: string
  is_operational: boolean
  archived: boolean
}

const likely: Partial<Record<Stage, string>> = { warning: 'degraded', critical: 'major_outage' }

/** The status of an incident when its policy says none: what the stage is called here, if the page has that. */
export function statusOf(stage: Stage, types: Type[], otherwise: string | undefined): string | undefined {
  const known = types.find(({ key, archived, is_operational }) => key === likely[stage] && !archived && !is_operational)
  return known?.key ?? otherwise
}
