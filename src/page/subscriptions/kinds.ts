import type { publicKeys } from '../../domain/notifications/keys.ts'

type Kind = (typeof publicKeys)[number]

/** The kinds of events in the order of the page. */
export const kindGroups: { group: 'incident' | 'maintenance' | 'item'; kinds: Kind[] }[] = [
  { group: 'incident', kinds: ['incident.created', 'incident.updated', 'incident.resolved'] },
  {
    group: 'maintenance',
    kinds: [
      'maintenance.scheduled',
      'maintenance.updated',
      'maintenance.reminder',
      'maintenance.started',
      'maintenance.completed',
      'maintenance.cancelled',
      'series.rescheduled',
    ],
  },
  { group: 'item', kinds: ['item.status_changed'] },
]
