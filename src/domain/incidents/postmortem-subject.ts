import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentReport } from '../../persistence/entities/incident-report.ts'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import type { Subject } from '../kernel/operation.ts'
import { snapshotReport } from './postmortem-presenter.ts'
import { incidentSubject } from './subject.ts'

/** The incident identifies the report and is locked too: resolving and reopening decide whether the report is shown. */
const common = {
  kind: 'report',
  external: true,
  id: (report: IncidentReport) => report.id,
  snapshot: snapshotReport,
}

export const reportSubject: Subject<IncidentReport> = {
  ...common,
  find: async (ctx, ref, options) => {
    const incident = await incidentSubject.find(ctx, ref, options)
    return incident && ctx.tx.findOne(IncidentReport, { incident_id: incident.id })
  },
}

/** The stored report, or a blank report of version 0, which matches no `version` of a request. */
export const writtenReport: Subject<IncidentReport> = {
  ...common,
  find: async (ctx, ref, options) => {
    const incident = await incidentSubject.find(ctx, ref, options)
    if (!incident) throw notFound('incident')
    const { page, now, tx } = ctx
    const blank = { page_id: page.id, incident_id: incident.id, title: '', body: '', published_at: null, version: 0 }
    const found = await tx.findOne(IncidentReport, { incident_id: incident.id })
    return found ?? tx.create(IncidentReport, { ...blank, created_at: now, updated_at: now })
  },
}

export const incidentOf = ({ tx }: Context, report: IncidentReport) =>
  tx.findOneOrFail(Incident, { id: report.incident_id })
