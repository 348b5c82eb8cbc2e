import { addressesIn } from '../settings/rules.ts'
import type { Settings } from '../settings/schema.ts'

interface Event {
  key: string
  data: Record<string, unknown>
}

/** The addresses in the settings that get an alert by email, each once and in lower case. */
export function recipientsInSettings({ key, data }: Event, settings: Settings): string[] {
  const list = listFor(key, data, settings)
  return [...new Set((addressesIn(list) ?? []).map((address) => address.toLowerCase()))]
}

function listFor(key: string, data: Record<string, unknown>, settings: Settings): string {
  if (key === 'incident.long_running' && settings.long_running_incident_notify_email) {
    return settings.long_running_incident_email_recipients
  }
  if (
    key === 'maintenance.overrun' &&
    data.reminder === 'after_end' &&
    settings.long_running_maintenance_notify_email
  ) {
    return settings.long_running_maintenance_email_recipients
  }
  return ''
}
