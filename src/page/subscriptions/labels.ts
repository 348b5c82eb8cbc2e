import type { publicKeys } from '../../domain/notifications/keys.ts'

/** The texts of the pages of subscribers, in one place for translations. */

export const newLink = 'Get a new link'

export const labels = {
  subscribe: {
    title: 'Subscribe to updates',
    text: 'Get a mail when something happens on this page. You confirm your address by a link in the first mail.',
    email: 'Email address',
    button: 'Subscribe',
    sentTitle: 'Check your mailbox',
    sent: 'If this address can be subscribed, a mail with a link is on its way. The link in a mail to confirm works for seven days, a link to preferences for 30 minutes.',
    wrongEmail: 'Enter a valid email address.',
    back: 'Back to the status page',
  },
  confirm: {
    title: 'Confirm your subscription',
    text: 'Do you want to get mails about the status of this page?',
    button: 'Confirm',
    done: 'You are subscribed',
    doneText: 'You get a mail when something happens on this page.',
    preferences: 'Choose what you are informed of',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    text: 'Stop all mails about the status of this page?',
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
    doneText: 'You get no more mails about the status of this page.',
    again: 'Subscribe again',
  },
  manage: {
    title: 'Your preferences',
    saved: 'Your preferences are saved.',
    notActive: 'This address gets no mails at the moment.',
    scope: 'What you are informed about',
    wholePage: 'The whole page',
    items: 'Only these components, with everything below them',
    kinds: 'When you get a mail',
    groups: { incident: 'Incidents', maintenance: 'Maintenance', item: 'Components' },
    enabled: 'Send these mails',
    language: 'Language',
    languageOfPage: 'The language of the page',
    timeZone: 'Time zone',
    timeZoneOfPage: 'The time zone of the page',
    frequency: 'How often',
    immediate: 'A mail for each event, at once',
    daily: 'One mail a day',
    save: 'Save',
    leave: 'Unsubscribe from all mails',
    noItems: 'Choose at least one component, or the whole page.',
    noKinds: 'Choose at least one kind of event, or unsubscribe.',
    part: (number: number) => `Part ${number}`,
  },
}

type Kind = (typeof publicKeys)[number]

export const kindNames: Record<Kind, string> = {
  'incident.created': 'An incident begins',
  'incident.updated': 'An incident has news',
  'incident.resolved': 'An incident is resolved',
  'maintenance.scheduled': 'A maintenance is planned',
  'maintenance.updated': 'A maintenance has news',
  'maintenance.reminder': 'A maintenance begins soon',
  'maintenance.started': 'A maintenance begins',
  'maintenance.completed': 'A maintenance is over',
  'maintenance.cancelled': 'A maintenance is cancelled',
  'series.rescheduled': 'A regular maintenance moves to other times',
  'item.status_changed': 'The status of a component changes',
}

/** The kinds of events in the order of the page. */
export const kindGroups: { group: keyof typeof labels.manage.groups; kinds: Kind[] }[] = [
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
