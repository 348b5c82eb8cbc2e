import { z } from 'zod'
import { flag } from '../fields.ts'

export const incidentPolicy = {
  working: {
    allow_reopening_closed_incidents: flag(true).describe('Whether a resolved incident may be reopened'),
    require_incident_ack_before_updates: flag(false).describe(
      'Whether an open incident must be acknowledged before people post updates or set another open status. Resolving and automatic updates need no acknowledgement',
    ),
    require_resolution_reason: flag(false).describe('Whether resolving an incident needs a `resolution_message`'),
    incident_primary_message_mode: z
      .enum(['description', 'latest_update'])
      .default('description')
      .describe(
        'The order of an open incident on the page, below title and status: `description` shows description and impact before the updates, newest first; `latest_update` shows the updates first',
      ),
  },
  later: {},
}
