import { MOST_ELEMENTS } from '../../evaluation/trigger-jobs.ts'
import type { Change, Decision } from './decide.ts'

/** The sentences that say what followed from an event, or why nothing followed. */

const changes: Record<Change, string> = {
  opened: 'opened',
  changed: 'changed',
  resolved: 'is resolved',
  same: 'was in this stage before',
  unpaired: 'recovered without a firing event: nothing was open',
  stale: 'has a later event, so this event changes nothing',
}

export function explain(decision: Decision, context: { leaf: string | null; state: string | null }): string {
  const { leaf, state } = context
  if (decision.kind === 'no_match') return `No match: ${leaf ?? 'the conditions do not hold'}`
  if (decision.kind === 'no_stage') {
    const found =
      state === null ? 'the event has no value at state_path' : `the state "${state}" is not among its values`
    return `No stage: the stage mapping has no default_stage, and ${found}`
  }
  const { stage, fingerprint, external_event_id } = decision
  const thing = `the fingerprint "${fingerprint}"`
  if (decision.kind === 'duplicate') {
    return `Duplicate: the trigger has evaluated the event id "${external_event_id}" before, for ${thing}`
  }
  return decision.change === null
    ? `Stage ${stage} for ${thing}`
    : `Stage ${stage}: ${thing} ${changes[decision.change]}`
}

export const leftOutInWords = (count: number): string =>
  `${count} further elements of the event were not evaluated: at most ${MOST_ELEMENTS} are`

export const truncatedInWords = (count: number): string => `the sender left ${count} alerts out of this event`
