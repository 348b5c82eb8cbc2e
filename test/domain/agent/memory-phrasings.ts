import type { Memory, RecordSlot } from '../../../src/domain/agent/language/types.ts'
import type { Phrasing } from './phrasing.ts'

const incident = (id: number, name: string): RecordSlot => ({ kind: 'incident', id, name })
const checkout: RecordSlot = { kind: 'item', id: 3, name: 'Checkout' }
const payments: RecordSlot = { kind: 'item', id: 4, name: 'Payments API' }
const upgrade: RecordSlot = { kind: 'maintenance', id: 51, name: 'Database upgrade' }
const ping: RecordSlot = { kind: 'beat', id: 73, name: 'Payments ping' }
const review: RecordSlot = { kind: 'action', id: 91, name: 'Search latency' }

const aboutIncident: Memory = {
  intent: 'incident_detail',
  slots: { incident: incident(41, 'Checkout is slow') },
  records: [incident(41, 'Checkout is slow'), checkout],
}
const aboutMaintenance: Memory = {
  intent: 'maintenance_detail',
  slots: { maintenance: upgrade },
  records: [upgrade, payments],
}
const aboutItem: Memory = { intent: 'item_status', slots: { item: checkout }, records: [checkout] }
const aboutUptime: Memory = { intent: 'uptime', slots: { item: checkout, days: 30 }, records: [checkout] }
const aboutBeat: Memory = { intent: 'beats', slots: { beat: ping }, records: [ping] }
const aboutReviews: Memory = { intent: 'reviews', slots: {}, records: [review] }
const planned: Memory = {
  intent: 'maintenance_schedule',
  slots: { items: [payments], start: '2027-03-10T21:00:00.000Z', minutes: 120 },
  records: [payments],
  plan_id: 7,
}
const moved: Memory = {
  intent: 'maintenance_reschedule',
  slots: { maintenance: upgrade, start: '2027-03-11T21:00:00.000Z' },
  records: [upgrade],
  plan_id: 8,
}
const opened: Memory = {
  intent: 'incident_open',
  slots: { items: [checkout], status: 'partial_outage' },
  records: [checkout],
  plan_id: 9,
}

export const memoryPhrasings: Phrasing[] = [
  ['resolve it', 'incident_resolve', { incident: 41 }, { memory: aboutIncident }],
  ['please close that incident', 'incident_resolve', { incident: 41 }, { memory: aboutIncident }],
  ['can you resolve it for me, thanks', 'incident_resolve', { incident: 41 }, { memory: aboutIncident }],
  ['ack it', 'incident_acknowledge', { incident: 41 }, { memory: aboutIncident }],
  [
    'post an update on it: we restarted the cache',
    'incident_update',
    { incident: 41, message: 'we restarted the cache' },
    { memory: aboutIncident },
  ],
  ['resolve it: done', 'incident_resolve', { incident: 41, message: 'done' }, { memory: aboutIncident }],
  ['when did it start?', 'incident_detail', { incident: 41 }, { memory: aboutIncident }],
  ['is it resolved?', 'incident_detail', { incident: 41 }, { memory: aboutIncident }],
  ['and 42?', 'incident_detail', { incident: 42 }, { memory: aboutIncident }],
  ['resolve the incident', 'incident_resolve', { incident: 41 }, { memory: aboutIncident }],
  ['cancel it', 'maintenance_cancel', { maintenance: 51 }, { memory: aboutMaintenance }],
  [
    'move it to friday 22:00',
    'maintenance_reschedule',
    { maintenance: 51, start: '2027-03-12T21:00Z' },
    { memory: aboutMaintenance },
  ],
  ['start this maintenance now', 'maintenance_start', { maintenance: 51 }, { memory: aboutMaintenance }],
  ['when does it end?', 'maintenance_detail', { maintenance: 51 }, { memory: aboutMaintenance }],
  ['is it up again?', 'item_status', { item: 3 }, { memory: aboutItem }],
  ['what about search?', 'item_status', { item: 5 }, { memory: aboutItem }],
  ['open an incident for it', 'incident_open', { items: [3] }, { memory: aboutItem }],
  ['set it to degraded', 'item_status_set', { item: 3, status: 'degraded' }, { memory: aboutItem }],
  ['and its uptime in the last 7 days?', 'uptime', { item: 3, days: 7 }, { memory: aboutItem }],
  ['and for login?', 'uptime', { item: 9, days: 30 }, { memory: aboutUptime }],
  ['the same for the last 90 days', 'uptime', { item: 3, days: 90 }, { memory: aboutUptime }],
  ['pause it', 'beat_pause', { beat: 73 }, { memory: aboutBeat }],
  ['mute that for an hour', 'beat_mute', { beat: 73, minutes: 60 }, { memory: aboutBeat }],
  ['why did it fire?', 'beat_why', { beat: 73 }, { memory: aboutBeat }],
  ['approve it', 'action_approve', { action: 91 }, { memory: aboutReviews }],
  ['reject that one', 'action_reject', { action: 91 }, { memory: aboutReviews }],
  [
    'tomorrow instead',
    'maintenance_schedule',
    { items: [4], start: '2027-03-11T21:00Z', minutes: 120 },
    { memory: planned },
  ],
  [
    'make it 23:00',
    'maintenance_schedule',
    { items: [4], start: '2027-03-10T22:00Z', minutes: 120 },
    { memory: planned },
  ],
  [
    'no, for three hours',
    'maintenance_schedule',
    { items: [4], start: '2027-03-10T21:00Z', minutes: 180 },
    { memory: planned },
  ],
  [
    'friday at 20:00 instead please',
    'maintenance_schedule',
    { items: [4], start: '2027-03-12T19:00Z', minutes: 120 },
    { memory: planned },
  ],
  [
    'actually on saturday',
    'maintenance_reschedule',
    { maintenance: 51, start: '2027-03-13T21:00Z' },
    { memory: moved },
  ],
  ['make it a major outage', 'incident_open', { items: [3], status: 'major_outage' }, { memory: opened }],
  [
    'call it "Card payments fail"',
    'incident_open',
    { items: [3], status: 'partial_outage', title: 'Card payments fail' },
    { memory: opened },
  ],
]
