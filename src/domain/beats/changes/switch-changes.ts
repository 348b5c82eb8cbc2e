import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import { requestedMute } from './mute.ts'

interface Switches {
  automation_paused?: boolean
  automation_pause_reason?: string | null
  muted_until?: string | null
}

/** The changes of a request to the mute and to the reason of a pause, which depend on the stored record. */
export function switchChanges(ctx: Context, request: Switches, stored: Beat | BeatGroup) {
  const { automation_paused, automation_pause_reason: reason } = request
  const ends = stored.automation_paused && automation_paused === false
  return {
    // The end of a pause clears its reason, unless the request has a new reason.
    automation_pause_reason: ends && reason === undefined ? null : reason,
    muted_until: requestedMute(ctx, request.muted_until, stored.muted_until),
  }
}
