import { z } from 'zod'
import type { Incident } from '../../persistence/entities/incident.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, version, versionToDelete } from '../kernel/schema.ts'
import { forgetTranslations, translate } from '../translations/write.ts'
import { allows } from './policy.ts'
import { presentReport } from './postmortem-presenter.ts'
import { IncidentReportRequest, IncidentReportResource } from './postmortem-schema.ts'
import { incidentOf, reportSubject, writtenReport } from './postmortem-subject.ts'

const area = 'incidents' as const
const onlyVersion = z.strictObject({ version: version().optional().describe('Of the report') })

export const getReport = operation({
  name: 'incidents.report.get',
  area,
  permission: 'read',
  summary: 'Get the post-incident report of an incident',
  subject: reportSubject,
  input: z.strictObject({}),
  output: IncidentReportResource,
  run: ({ tx }, _input, report) => presentReport(tx, report),
})

export const putReport = operation({
  name: 'incidents.report.put',
  area,
  permission: 'write',
  summary: 'Write the post-incident report of an incident, or revise it',
  description:
    'A new report is a draft, which may be written while the incident is open. A published report stays published. Translations that the body does not name stay unchanged.',
  subject: writtenReport,
  input: IncidentReportRequest,
  output: IncidentReportResource,
  run: async (ctx, { title, body, translations }, report) => {
    const incident = await incidentOf(ctx, report)
    await allows(ctx, incident, 'report: write')
    if (report.version > 0) ctx.revised()
    const revise = trackRevision(ctx, writtenReport, report)
    Object.assign(report, { title, body })
    await ctx.tx.flush()
    await translate(ctx, ['incident_report', report.id], translations)
    if (revise() && report.published_at) reviseIncident(ctx, incident)
    return presentReport(ctx.tx, report)
  },
})

export const deleteReport = operation({
  name: 'incidents.report.delete',
  area,
  permission: 'write',
  summary: 'Delete the post-incident report of an incident',
  subject: reportSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, report) => {
    if (report.published_at) reviseIncident(ctx, await incidentOf(ctx, report))
    await forgetTranslations(ctx, ['incident_report', report.id])
    ctx.tx.remove(report)
    return { message: `The report "${report.title}" is deleted.` }
  },
})

export const publishReport = operation({
  name: 'incidents.report.publish',
  area,
  permission: 'write',
  summary: 'Publish the post-incident report of a resolved incident',
  description:
    'A published report is shown with the resolved incident, and hidden while the incident is open again. No notification is written. Publishing twice answers 200 with the stored report.',
  subject: reportSubject,
  input: onlyVersion,
  output: IncidentReportResource,
  run: async (ctx, _input, report) => {
    const incident = await incidentOf(ctx, report)
    await allows(ctx, incident, 'report: publish')
    if (report.published_at) {
      ctx.existing()
    } else {
      Object.assign(report, { published_at: ctx.now, version: report.version + 1 })
      reviseIncident(ctx, incident)
    }
    return presentReport(ctx.tx, report)
  },
})

export const unpublishReport = operation({
  name: 'incidents.report.unpublish',
  area,
  permission: 'write',
  summary: 'Make the post-incident report of an incident a draft again',
  description: 'Unpublishing a draft answers 200 with the stored report.',
  subject: reportSubject,
  input: onlyVersion,
  output: IncidentReportResource,
  run: async (ctx, _input, report) => {
    const incident = await incidentOf(ctx, report)
    await allows(ctx, incident, 'report: unpublish')
    if (!report.published_at) {
      ctx.existing()
    } else {
      Object.assign(report, { published_at: null, version: report.version + 1 })
      reviseIncident(ctx, incident)
    }
    return presentReport(ctx.tx, report)
  },
})

/** The report is part of the public incident, so its change is a change of the incident. */
function reviseIncident({ now }: Context, incident: Incident): void {
  incident.version += 1
  incident.updated_at = now
}
