import { flag, hidden, whole, words } from '../fields.ts'

const MAX_HOURS = 24 * 30

export const longRunning = {
  working: {},
  later: {
    long_running_incident_no_update_hours: whole(1, MAX_HOURS, 24),
    long_running_maintenance_after_end_hours: whole(1, MAX_HOURS, 2),
    long_running_incident_email_recipients: hidden(words(5000)),
    long_running_incident_slack_channel_id: hidden(words(100)),
    long_running_maintenance_email_recipients: hidden(words(5000)),
    long_running_maintenance_slack_channel_id: hidden(words(100)),
    long_running_incident_notify_email: flag(false),
    long_running_incident_notify_slack: flag(false),
    long_running_maintenance_notify_email: flag(false),
    long_running_maintenance_notify_slack: flag(false),
    notify_on_long_running_incidents: flag(false),
    notify_on_long_running_maintenances: flag(false),
  },
}
