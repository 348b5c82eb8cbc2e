import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import type { ActionPolicies, MessagePolicies } from '../definition/policies.ts'
import { requestedMute } from './mute.ts'

interface SharedFields {
  description?: string | null | undefined
  impact?: string | null | undefined
  affected_items_freetext?: string | null | undefined
  automation_paused?: boolean | undefined
  automation_pause_reason?: string | null | undefined
  muted_until?: string | null | undefined
  action_policies?: ActionPolicies | null | undefined
  message_policies?: MessagePolicies | null | undefined
}

/** The changes of a request to the fields that beats and groups share. Null clears a field, an absent field stays. */
export function sharedChanges(ctx: Context, request: SharedFields, stored: Beat | BeatGroup) {
  const { automation_paused, automation_pause_reason: reason } = request
  const ends = stored.automation_paused && automation_paused === false
  return {
    description: request.description === null ? '' : request.description,
    impact: request.impact,
    affected_items_freetext: request.affected_items_freetext,
    automation_paused,
    // The end of a pause clears its reason, unless the request has a new reason.
    automation_pause_reason: ends && reason === undefined ? null : reason,
    muted_until: requestedMute(ctx, request.muted_until, stored.muted_until),
    action_policies: request.action_policies === null ? {} : request.action_policies,
    message_policies: request.message_policies === null ? {} : request.message_policies,
  }
}
