import type { EntityManager } from '@mikro-orm/postgresql'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import { alertKeys } from '../../persistence/notification-keys.ts'
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

interface Named {
  subscriber_id: number | null
  address: string
}

/** Why an alert is not sent any more to an address that the settings named: the settings or its suppression have changed. */
export async function withheldFromNamed(
  tx: EntityManager,
  event: Event | null,
  settings: Settings,
  deliveries: Named[],
): Promise<(delivery: Named) => string | null> {
  const named = deliveries.filter(({ subscriber_id }) => subscriber_id === null)
  if (!event || !(alertKeys as readonly string[]).includes(event.key) || named.length === 0) return () => null
  const inSettings = recipientsInSettings(event, settings)
  const addresses = named.map(({ address }) => address)
  const rows = await tx.find(Subscriber, { channel: 'email', address: { $in: addresses }, state: 'suppressed' })
  const suppressed = rows.map(({ address }) => address)
  return ({ subscriber_id, address }) => {
    if (subscriber_id !== null) return null
    if (suppressed.includes(address)) return 'subscriber_suppressed'
    return inSettings.includes(address) ? null : 'not_in_settings'
  }
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
