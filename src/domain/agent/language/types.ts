export type QuestionName =
  | 'status'
  | 'item_status'
  | 'incidents_open'
  | 'incident_detail'
  | 'incidents_past'
  | 'maintenance_upcoming'
  | 'maintenance_detail'
  | 'changes'
  | 'uptime'
  | 'beats'
  | 'beat_why'
  | 'reviews'
  | 'ingest_events'
  | 'explain'
  | 'plans'
  | 'help'

export type RequestName =
  | 'incident_open'
  | 'incident_update'
  | 'incident_resolve'
  | 'incident_reopen'
  | 'incident_acknowledge'
  | 'maintenance_schedule'
  | 'maintenance_reschedule'
  | 'maintenance_start'
  | 'maintenance_complete'
  | 'maintenance_cancel'
  | 'occurrence_skip'
  | 'beat_pause'
  | 'beat_resume'
  | 'beat_run'
  | 'beat_mute'
  | 'action_approve'
  | 'action_reject'
  | 'item_status_set'
  | 'item_status_clear'

export type IntentName = QuestionName | RequestName

export type RecordKind = 'item' | 'incident' | 'maintenance' | 'series' | 'beat' | 'beat_group' | 'action' | 'endpoint'

export interface NamedRecord {
  id: number
  name: string
  aliases?: string[]
  state?: string
  /** The ids of the items that the record affects. */
  items?: number[]
}

export interface RecordSlot {
  kind: RecordKind
  id: number
  name: string
}

/** A record; or the words that name several records equally well (two candidates or more) or no record. */
export type Found = RecordSlot | { kind: RecordKind; text: string; candidates: RecordSlot[] }

/** Moments are ISO 8601 in UTC. */
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
  /** The name of a lifecycle stage of incidents. */
  stage?: string
  title?: string
  message?: string
  reason?: string
  start?: string
  end?: string
  minutes?: number
  /** So many minutes later, for start and end of a window; and so many more minutes for its end. */
  shift?: number
  longer?: number
  until?: string
  at?: string
  from?: string
  to?: string
  days?: number
  topic?: 'reminder' | 'start' | 'end' | 'post' | 'notification'
  /** A day in the zone of the page: YYYY-MM-DD. */
  date?: string
  /** The times of a request that were not read, as they are written. */
  unread?: string[]
}

/** What the last turns of a thread were about. */
export interface Memory {
  intent?: IntentName
  slots?: Slots
  /** The newest first. */
  records: RecordSlot[]
  plan_id?: number
  /** The record that the last plan of the thread created. */
  created?: RecordSlot
}

/** What a query can refer to. */
export interface Situation {
  now: Date
  /** The IANA name of the time zone of the page. */
  zone: string
  items: NamedRecord[]
  /** The open ones first, each part with the newest first. */
  incidents: NamedRecord[]
  maintenances: NamedRecord[]
  series: NamedRecord[]
  beats: NamedRecord[]
  beat_groups: NamedRecord[]
  /** Reviews that wait, by the name of their beat or group. */
  actions: NamedRecord[]
  endpoints: NamedRecord[]
  statusTypes: { key: string; name: string }[]
  /** The names of the lifecycle stages of open incidents. */
  incidentStages?: string[]
  memory?: Memory
}

export type Understanding =
  | { kind: 'question' | 'request'; intent: IntentName; slots: Slots; unclear: string[] }
  | { kind: 'none'; because: 'not_understood' | 'negated' | 'quoted' | 'hypothetical' | 'limited'; unclear: string[] }
