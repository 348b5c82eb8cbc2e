import type { EntityManager } from '@mikro-orm/postgresql'
import { IncidentReport } from '../../persistence/entities/incident-report.ts'

export function presentReport({ published_at, created_at, updated_at, ...report }: IncidentReport) {
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

/** Public incidents with what was published about those that are over: one query for all of them. */
export async function withReports<T extends { id: number; resolved_at?: string | null }>(
  tx: EntityManager,
  incidents: T[],
) {
  const over = incidents.filter((incident) => incident.resolved_at).map(({ id }) => id)
  if (over.length === 0) return incidents
  const published = await tx.find(IncidentReport, { incident_id: { $in: over }, published_at: { $ne: null } })
  const reports = new Map(published.map((report) => [report.incident_id, presentPublicReport(report)]))
  return incidents.map((incident) => ({ ...incident, report: reports.get(incident.id) }))
}

const presentPublicReport = ({ title, body, published_at, updated_at }: IncidentReport) => ({
  title,
  body,
  published_at: published_at!.toISOString(),
  updated_at: updated_at.toISOString(),
})
