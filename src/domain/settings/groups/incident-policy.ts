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
      .enum(['latest_update', 'description'])
      .default('latest_update')
      .describe(
        'What the page says first of an open incident; an incident without updates begins with its description',
      ),
  },
  later: {},
}
