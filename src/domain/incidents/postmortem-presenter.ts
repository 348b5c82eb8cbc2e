import type { EntityManager } from '@mikro-orm/postgresql'
import { IncidentReport } from '../../persistence/entities/incident-report.ts'
import type { Reading } from '../translations/languages.ts'
import { translationsOf, wordsFor } from '../translations/read.ts'

/** The fields that an audit row compares. */
export function snapshotReport({ published_at, created_at, updated_at, ...report }: IncidentReport) {
  return {
    id: report.id,
    incident_id: report.incident_id,
    title: report.title,
    body: report.body,
    state: published_at ? ('published' as const) : ('draft' as const),
    version: report.version,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    published_at: published_at?.toISOString() ?? null,
  }
}

/** A report for admins, with its translations. */
export async function presentReport(tx: EntityManager, report: IncidentReport) {
  const translations = await translationsOf(tx, { incident_report: [report] })
  return { ...snapshotReport(report), translations: translations('incident_report', report.id) }
}

/** Adds to resolved public incidents their published reports, in the language of the reader. */
export async function withReports<T extends { id: number; resolved_at?: string | null }>(
  tx: EntityManager,
  incidents: T[],
  reading: Reading,
) {
  const over = incidents.filter((incident) => incident.resolved_at).map(({ id }) => id)
  if (over.length === 0) return incidents
  const published = await tx.find(IncidentReport, { incident_id: { $in: over }, published_at: { $ne: null } })
  const words = await wordsFor(tx, reading, { incident_report: published })
  const reports = new Map(
    published.map((report) => [
      report.incident_id,
      { ...presentPublicReport(report), ...words('incident_report', report.id) },
    ]),
  )
  return incidents.map((incident) => ({ ...incident, report: reports.get(incident.id) }))
}

const presentPublicReport = ({ title, body, published_at, updated_at }: IncidentReport) => ({
  title,
  body,
  published_at: published_at!.toISOString(),
  updated_at: updated_at.toISOString(),
})
