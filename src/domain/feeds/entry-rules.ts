/** Which entries a feed has, from the records of the page. Pure: no clock, no database. */

export const ENTRIES_AT_MOST = 50
/** How many updates an entry of a whole record shows. */
const UPDATES_AT_MOST = 20

export const recordKinds = ['incident', 'maintenance'] as const
export type RecordKind = (typeof recordKinds)[number]
export type EntryKind = RecordKind | `${RecordKind}_update`

/** An entry of the list, by its record and, unless it is about the whole record, its update. */
export interface Listed {
  kind: EntryKind
  id: number
  record_id: number
}

interface Dated {
  created_at: string | null
  updated_at: string | null
}

interface Staged extends Dated {
  id: number
  status: string
  lifecycle_stage?: { name: string } | undefined
}

interface Update extends Staged {
  previous_status?: string | undefined
}

interface Described extends Staged {
  report?: { published_at: string } | undefined
  updates?: Update[] | undefined
}

export interface Entry<R> {
  kind: EntryKind
  id: number
  published: string
  updated: string
  /** The status that the entry announces, and the name of the lifecycle stage. */
  status: string
  stage?: string | undefined
  /** With the update of the entry alone, or with the newest updates. */
  record: R
}

export const recordKindOf = (kind: EntryKind): RecordKind => (kind.startsWith('incident') ? 'incident' : 'maintenance')

interface Asked {
  /** One entry for each update, else one for each record. */
  perUpdate: boolean
}

/** The listed entries whose records readers of the feed see. */
export function entriesOf<R extends Described>(
  listed: Listed[],
  records: Record<RecordKind, R[]>,
  { perUpdate }: Asked,
): Entry<R>[] {
  const byId = {
    incident: new Map(records.incident.map((record) => [record.id, record])),
    maintenance: new Map(records.maintenance.map((record) => [record.id, record])),
  }
  return listed.flatMap(({ kind, id, record_id }) => {
    const record = byId[recordKindOf(kind)].get(record_id)
    if (!record) return []
    if (kind === 'incident' || kind === 'maintenance') return [wholeRecord(kind, record, perUpdate)]
    const update = record.updates?.find((one) => one.id === id)
    return update
      ? [{ kind, id, ...timesOf(update), ...stateOf(update), record: { ...record, updates: [update] } }]
      : []
  })
}

/** The entry of a record: of its creation alone, or of all that happened. */
function wholeRecord<R extends Described>(kind: RecordKind, record: R, creationOnly: boolean): Entry<R> {
  const { id, updates = [] } = record
  const published = record.created_at ?? ''
  if (creationOnly) {
    const status = updates.at(-1)?.previous_status ?? record.status
    return { kind, id, published, updated: published, status, record: { ...record, updates: [] } }
  }
  const updated = latest([
    published,
    record.report?.published_at ?? '',
    ...updates.map((update) => timesOf(update).updated),
  ])
  const newest = { ...record, updates: updates.slice(0, UPDATES_AT_MOST) }
  return { kind, id, published, updated, ...stateOf(record), record: newest }
}

const stateOf = ({ status, lifecycle_stage }: Staged) => ({ status, stage: lifecycle_stage?.name })

function timesOf({ created_at, updated_at }: Dated): { published: string; updated: string } {
  const published = created_at ?? ''
  return { published, updated: latest([published, updated_at ?? '']) }
}

/** The latest of moments in ISO form, in which later texts are later moments. */
const latest = (moments: string[]): string => moments.reduce((a, b) => (a > b ? a : b), '')
