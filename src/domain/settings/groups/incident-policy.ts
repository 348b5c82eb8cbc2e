import { flag, mode } from '../fields.ts'

export const incidentPolicy = {
  working: {
    allow_reopening_closed_incidents: flag(true).describe('Whether a resolved incident may be opened again'),
    require_incident_ack_before_updates: flag(false).describe(
      'Whether an incident must be acknowledged before people post updates; automatic updates are not held up',
    ),
    require_resolution_reason: flag(false).describe('Whether resolving an incident needs a `resolution_message`'),
  },
  later: { incident_primary_message_mode: mode() },
}
