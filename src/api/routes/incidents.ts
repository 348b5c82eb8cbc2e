import { backfillIncident } from '../../domain/incidents/backfill.ts'
import { putIncident, updateIncident } from '../../domain/incidents/change-incident.ts'
import { changeUpdate, deleteUpdate } from '../../domain/incidents/change-update.ts'
import { createIncident } from '../../domain/incidents/create.ts'
import { addImpact, impactByExternalId, impactById, listImpacts } from '../../domain/incidents/impacts.ts'
import {
  deleteReport,
  getReport,
  publishReport,
  putReport,
  unpublishReport,
} from '../../domain/incidents/postmortem.ts'
import { getIncident, getPublicIncident, listIncidents, listPublicIncidents } from '../../domain/incidents/read.ts'
import { deleteIncident } from '../../domain/incidents/remove.ts'
import { acknowledgeIncident, reopenIncident, resolveIncident } from '../../domain/incidents/resolve.ts'
import { addUpdate, getUpdate, listUpdates } from '../../domain/incidents/timeline.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Incidents')
const open = routesOf('public', 'Public')

export const incidentRoutes = [
  get('/incidents', listIncidents),
  post('/incidents', createIncident, { status: 201 }),
  post('/incidents/backfill', backfillIncident, { status: 201, createsSibling: true }),
  put('/incidents/external/{external_id}', putIncident, { status: 201 }),
  get('/incidents/{id}', getIncident),
  patch('/incidents/{id}', updateIncident),
  del('/incidents/{id}', deleteIncident),
  post('/incidents/{id}/acknowledge', acknowledgeIncident),
  post('/incidents/{id}/resolve', resolveIncident),
  post('/incidents/{id}/reopen', reopenIncident),
  get('/incidents/{id}/updates', listUpdates),
  post('/incidents/{id}/updates', addUpdate, { status: 201 }),
  get('/incidents/{id}/updates/{update_id}', getUpdate),
  patch('/incidents/{id}/updates/{update_id}', changeUpdate),
  del('/incidents/{id}/updates/{update_id}', deleteUpdate),
  get('/incidents/{id}/impacts', listImpacts),
  post('/incidents/{id}/impacts', addImpact, { status: 201 }),
  patch('/incidents/{id}/impacts/{item_id}', impactById.change),
  patch('/incidents/{id}/impacts/external/{item_external_id}', impactByExternalId.change),
  del('/incidents/{id}/impacts/{item_id}', impactById.end),
  del('/incidents/{id}/impacts/external/{item_external_id}', impactByExternalId.end),
  get('/incidents/{id}/report', getReport),
  put('/incidents/{id}/report', putReport, { status: 201 }),
  del('/incidents/{id}/report', deleteReport),
  post('/incidents/{id}/report/publish', publishReport),
  post('/incidents/{id}/report/unpublish', unpublishReport),
  open.get('/incidents', listPublicIncidents),
  open.get('/incidents/{id}', getPublicIncident),
]
