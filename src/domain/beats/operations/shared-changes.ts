import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import type { ActionPolicies, MessagePolicies } from '../definition/policies.ts'
import { muteSaid } from './mute.ts'

interface Said {
  description?: string | null | undefined
  impact?: string | null | undefined
  affected_items_freetext?: string | null | undefined
  automation_paused?: boolean | undefined
  automation_pause_reason?: string | null | undefined
  muted_until?: string | null | undefined
  action_policies?: ActionPolicies | null | undefined
  message_policies?: MessagePolicies | null | undefined
}

/** What a request changes alike of a beat and of a group of beats. null clears, absent leaves alone. */
export function sharedChanges(ctx: Context, said: Said, stored: Beat | BeatGroup) {
  const { automation_paused, automation_pause_reason: reason } = said
  const ends = stored.automation_paused && automation_paused === false
  return {
    description: said.description === null ? '' : said.description,
    impact: said.impact,
    affected_items_freetext: said.affected_items_freetext,
    automation_paused,
    // With the pause goes its reason, unless another is given for the next.
    automation_pause_reason: ends && reason === undefined ? null : reason,
    muted_until: muteSaid(ctx, said.muted_until, stored.muted_until),
    action_policies: said.action_policies === null ? {} : said.action_policies,
    message_policies: said.message_policies === null ? {} : said.message_policies,
  }
}
