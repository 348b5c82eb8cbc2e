import type { EntityManager } from '@mikro-orm/postgresql'
import { labelsFor } from '../../../languages/labels.ts'
import { IncidentReport } from '../../../persistence/entities/incident-report.ts'
import type { Reading } from '../../translations/languages.ts'
import { wordsFor } from '../../translations/read.ts'
import { isAutomatic } from '../../vocabulary/automatic-text-rules.ts'

type Shown = { id: number; updates?: { id: number; message: string }[]; affected_items?: { id: number }[] }[]

interface Records {
  incidents?: Shown
  maintenances?: Shown
  /** Other items than those that the records affect. */
  items?: { id: number }[]
}

/** The translated fields of these records, by kind and id; a report has the id of its incident. */
export async function translatedIn(
  tx: EntityManager,
  reading: Reading,
  { incidents = [], maintenances = [], items = [] }: Records,
) {
  if (!reading.translated) return {}
  const below = (records: Shown) => records.flatMap(({ updates = [] }) => updates)
  const shown = { incident_id: { $in: incidents.map(({ id }) => id) }, published_at: { $ne: null } }
  const reports = await tx.find(IncidentReport, shown)
  const records = {
    incident: incidents,
    incident_update: below(incidents),
    maintenance: maintenances,
    maintenance_update: below(maintenances),
    incident_report: reports,
    item: [...items, ...[...incidents, ...maintenances].flatMap(({ affected_items = [] }) => affected_items)],
  }
  const words = await wordsFor(tx, reading, records)
  const incidentOf = new Map(reports.map(({ id, incident_id }) => [id, incident_id]))
  const entries = Object.entries(records).flatMap(([kind, list]) =>
    list.map(({ id }) => {
      const shownAt = kind === 'incident_report' ? incidentOf.get(id) : id
      return [`${kind}:${shownAt}`, Object.keys(words(kind as keyof typeof records, id))] as const
    }),
  )
  const labels = labelsFor(reading.language)
  for (const kind of ['incident_update', 'maintenance_update'] as const)
    for (const { id, message } of records[kind])
      if (isAutomatic(labels, message)) entries.push([`${kind}:${id}`, ['message']])
  return Object.fromEntries(entries.filter(([, fields]) => fields.length > 0))
}
