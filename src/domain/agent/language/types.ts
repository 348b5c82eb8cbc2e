/** The kinds of records that a sentence may name. */
export type RecordKind = 'item' | 'incident' | 'maintenance' | 'series' | 'beat' | 'beat_group' | 'action' | 'endpoint'

export interface NamedRecord {
  id: number
  name: string
  /** Other names: slug, abbreviated name, external id. */
  aliases?: string[]
  state?: string
  /** The ids of affected items. */
  items?: number[]
}

export interface RecordSlot {
  kind: RecordKind
  id: number
  name: string
}

/** A record, or a text that names several records or none. */
export type Found = RecordSlot | { kind: RecordKind; text: string; candidates: RecordSlot[] }

/** Moments are ISO 8601 in UTC, `date` is YYYY-MM-DD in the zone of the page. */
export interface Slots {
  item?: Found
  items?: Found[]
  incident?: Found
  maintenance?: Found
  series?: Found
  beat?: Found
  action?: Found
  endpoint?: Found
  /** The key of a status type. */
  status?: string
  title?: string
  message?: string
  reason?: string
  start?: string
  end?: string
  minutes?: number
  until?: string
  at?: string
  from?: string
  to?: string
  days?: number
  topic?: 'reminder' | 'start' | 'end' | 'post' | 'notification'
  date?: string
}

export const questionIntents = [
  'status',
  'item_status',
  'incidents_open',
  'incident_detail',
  'incidents_past',
  'maintenance_upcoming',
  'maintenance_detail',
  'changes',
  'uptime',
  'beats',
  'beat_why',
  'reviews',
  'ingest_events',
  'explain',
  'help',
] as const

export const requestIntents = [
  'incident_open',
  'incident_update',
  'incident_resolve',
  'incident_reopen',
  'incident_acknowledge',
  'maintenance_schedule',
  'maintenance_reschedule',
  'maintenance_start',
  'maintenance_complete',
  'maintenance_cancel',
  'occurrence_skip',
  'beat_pause',
  'beat_resume',
  'beat_run',
  'beat_mute',
  'action_approve',
  'action_reject',
  'item_status_set',
  'item_status_clear',
] as const

export type QuestionIntent = (typeof questionIntents)[number]
export type RequestIntent = (typeof requestIntents)[number]
export type IntentName = QuestionIntent | RequestIntent

/** What the last turns of a conversation were about. */
export interface Memory {
  intent?: IntentName
  slots?: Slots
  /** Newest first. */
  records: RecordSlot[]
  plan_id?: number
}

/** What a sentence may refer to. */
export interface Situation {
  now: Date
  /** An IANA time zone. */
  zone: string
  items: NamedRecord[]
  incidents: NamedRecord[]
  maintenances: NamedRecord[]
  series: NamedRecord[]
  beats: NamedRecord[]
  beat_groups: NamedRecord[]
  /** Actions that wait for a review, with the names of their beats or groups. */
  actions: NamedRecord[]
  endpoints: NamedRecord[]
  statusTypes: { key: string; name: string }[]
  memory?: Memory
}

export type Understanding =
  | { kind: 'question' | 'request'; intent: IntentName; slots: Slots; unclear: string[] }
  | { kind: 'none'; because: 'not_understood' | 'negated' | 'quoted' | 'hypothetical'; unclear: string[] }
