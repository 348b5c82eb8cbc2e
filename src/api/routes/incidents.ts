import { createIncident } from '../../domain/incidents/create.ts'
import {
  getIncident,
  getPublicIncident,
  listIncidents,
  listPublicIncidents,
  listUpdates,
} from '../../domain/incidents/read.ts'
import { addUpdate, resolveIncident } from '../../domain/incidents/timeline.ts'
import { routesOf } from './route.ts'

const admin = routesOf('admin', 'Incidents')
const open = routesOf('public', 'Public')

export const incidentRoutes = [
  admin.get('/incidents', listIncidents),
  admin.post('/incidents', createIncident, { status: 201 }),
  admin.get('/incidents/{id}', getIncident),
  admin.get('/incidents/{id}/updates', listUpdates),
  admin.post('/incidents/{id}/updates', addUpdate, { status: 201 }),
  admin.post('/incidents/{id}/resolve', resolveIncident),
  open.get('/incidents', listPublicIncidents),
  open.get('/incidents/{id}', getPublicIncident),
]
