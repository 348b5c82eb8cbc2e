import { z } from 'zod'
import { flag } from '../fields.ts'

export const incidentPolicy = {
  working: {
    allow_reopening_closed_incidents: flag(true).describe('Whether a resolved incident may be opened again'),
    require_incident_ack_before_updates: flag(false).describe(
      'Whether an open incident must be acknowledged before people post updates or give it another open status; resolving it and automatic updates are not held up',
    ),
    require_resolution_reason: flag(false).describe('Whether resolving an incident needs a `resolution_message`'),
    incident_primary_message_mode: z
      .enum(['description', 'latest_update'])
      .default('description')
      .describe(
        'The order of an open incident on the page, below title and status: description and impact and then the updates, newest first, or the updates before description and impact',
      ),
  },
  later: {},
}
