import { text } from '../../kernel/schema.ts'
import { flag, hidden, lineOrNone, peoplesAddress, whole } from '../fields.ts'
import { addressesIn } from '../rules.ts'

const MAX_HOURS = 24 * 30

const recipients = () =>
  peoplesAddress(
    text(5000)
      .refine((list) => addressesIn(list) !== undefined, 'must be e-mail addresses, separated by commas')
      .meta({ example: 'oncall@example.com' })
      .default('')
      .describe('The recipients of the alert'),
  )

export const longRunning = {
  working: {
    notify_on_long_running_incidents: flag(false).describe(
      'Whether an open incident without an update for long gets a notification `incident.long_running`',
    ),
    long_running_incident_no_update_hours: whole(1, MAX_HOURS, 24).describe(
      'Hours from the last update of an open incident, or from its opening, to the notification',
    ),
    long_running_incident_notify_email: flag(false).describe('Whether the recipients get the notification by email'),
    long_running_incident_email_recipients: recipients(),
    notify_on_long_running_maintenances: flag(false).describe(
      'Whether a maintenance that is not over long after its scheduled end gets a notification `maintenance.overrun`',
    ),
    long_running_maintenance_after_end_hours: whole(1, MAX_HOURS, 2).describe(
      'Hours from the scheduled end to the notification',
    ),
    long_running_maintenance_notify_email: flag(false).describe('Whether the recipients get the notification by email'),
    long_running_maintenance_email_recipients: recipients(),
  },
  later: {
    long_running_maintenance_notify_slack: flag(false),
    long_running_maintenance_slack_channel_id: hidden(lineOrNone(100)),
    long_running_incident_slack_channel_id: hidden(lineOrNone(100)),
    long_running_incident_notify_slack: flag(false),
  },
}
