import { z } from 'zod'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { IncidentReport } from '../../persistence/entities/incident-report.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { forgetIncidentVariants } from '../../persistence/translations.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import { operation } from '../kernel/operation.ts'
import { message, notifyInQuery, versionToDelete } from '../kernel/schema.ts'
import { named } from '../kernel/text-rules.ts'
import { withdrawNotifications } from '../notifications/withdraw.ts'
import { incidentSubject } from './subject.ts'

export const deleteIncident = operation({
  name: 'incidents.delete',
  area: 'incidents',
  permission: 'write',
  summary: 'Delete an incident with its timeline and its report',
  description:
    'The audit keeps the deleted record. What was not sent about the incident yet is not sent any more. The external id can be used again. The status events of the incident stay, and with them its downtime: correct or delete the status events too if the incident never happened.',
  subject: incidentSubject,
  input: z.strictObject({ ...versionToDelete(), notify: notifyInQuery() }),
  output: message,
  run: async (ctx, { notify }, incident) => {
    const { tx, now, page } = ctx
    const { id, title } = incident
    const held = await tx.nativeDelete(IncidentImpact, { incident_id: id })
    await forgetIncidentVariants(tx, id)
    await tx.nativeDelete(IncidentReport, { incident_id: id })
    await tx.nativeDelete(IncidentUpdate, { incident_id: id })
    tx.remove(incident)
    await tx.flush()
    await withdrawNotifications(ctx, { kind: 'incident', id })
    if (held > 0) await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'incident', id }, notify })
    ctx.wake({ kind: 'incident', id }, `the deletion of incident ${named(title, id)}`)
    return { message: `The incident "${title}" is deleted.` }
  },
})
