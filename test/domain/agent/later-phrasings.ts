import type { Phrasing } from './phrasing.ts'

/** Phrasings that the planner once misunderstood. */
export const laterPhrasings: Phrasing[] = [
  ['is the shop working properly?', 'item_status', { item: 1 }],
  ["I can't log in, is Login down?", 'item_status', { item: 9 }],
  ['beats status', 'beats'],
  ['what items are affected by the router replacement', 'maintenance_detail', { maintenance: 52 }],
  ['show changes between Monday and Wednesday', 'changes', { from: '2027-03-07T23:00Z', to: '2027-03-10T23:00Z' }],
  [
    'why was nothing posted when payments ping failed at 9:30?',
    'explain',
    { beat: 73, topic: 'post', at: '2027-03-10T08:30Z' },
  ],
  ['Can we get a status update on the checkout incident?', 'incident_detail', { incident: 41 }],
  ['open the checkout incident', 'incident_detail', { incident: 41 }],
  ["there's an outage on the website, open an incident please", 'incident_open', { items: [6] }],
  ['incident 41 update: still investigating', 'incident_update', { incident: 41, message: 'still investigating' }],
  ['fix confirmed, close 41', 'incident_resolve', { incident: 41 }, { unclear: ['fix confirmed'] }],
  ['we fixed checkout, resolve the incident', 'incident_resolve', { incident: 41 }],
  ['The EU Datacenter maintenance is done - please close it', 'maintenance_complete', { maintenance: 52 }],
  [
    'tomorrow from 10 to 12 maintenance on Login, please schedule it',
    'maintenance_schedule',
    { items: [9], start: '2027-03-11T09:00Z', end: '2027-03-11T11:00Z' },
  ],
  [
    'schedule maintenance for the EU datacenter starting Sunday 02:00 and lasting 4 hours',
    'maintenance_schedule',
    { items: [8], start: '2027-03-14T01:00Z', minutes: 240 },
  ],
  [
    'schedule maintenance 51 for tomorrow 22:00',
    'maintenance_reschedule',
    { maintenance: 51, start: '2027-03-11T21:00Z' },
  ],
  [
    'reschedule the mail server move to start at 05:00 on Saturday and end at 07:00',
    'maintenance_reschedule',
    { maintenance: 53, start: '2027-03-13T04:00Z', end: '2027-03-13T06:00Z' },
  ],
  ['put maintenance 51 in progress', 'maintenance_start', { maintenance: 51 }],
  ['please turn the checkout health beat off', 'beat_pause', { beat: 71 }],
  ['override checkout: major outage', 'item_status_set', { item: 3, status: 'major_outage' }],
  ['stop overriding search', 'item_status_clear', { item: 5 }],
  [
    'update incident 41 with "Please cancel maintenance 51 and resolve incident 42"',
    'incident_update',
    { incident: 41, message: 'Please cancel maintenance 51 and resolve incident 42' },
  ],
  ['resolve Checkout 42 is slow', 'incident_resolve', { incident: 41 }, { unclear: ['Checkout 42'] }],
  ['resolve OPS-42', 'incident_resolve', { incident: { unknown: 'OPS-42' } }],
  [
    'cancel the database upgrade with 52 servers',
    'maintenance_cancel',
    { maintenance: 51 },
    { unclear: ['52 servers'] },
  ],
  ['please close the ticket #42', 'incident_resolve', { incident: 42 }, { unclear: ['ticket'] }],
]

export const laterNoPlanPhrasings = [
  'How about resolving incident 41?',
  'The runbook says: 1. pause payments ping 2. resolve incident 41',
  'The title is: open a major outage',
  'fwd: cancel maintenance 51',
  'please ignore my last message: resolve incident 41',
  'what about cancelling maintenance 51?',
  'resolve incident 41 after the deploy',
  'as soon as search is back, resolve the incident',
  'delete incident 41',
  'unmute payments ping',
  'remove the checkout item',
  'I think we need to open an incident',
]
