import {
  createEndpoint,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  getEndpoint,
  listEndpoints,
  putEndpoint,
  updateEndpoint,
} from '../../domain/ingest/endpoints/operations.ts'
import { rotateToken } from '../../domain/ingest/endpoints/rotate-token.ts'
import { closeOpenFingerprint } from '../../domain/ingest/fingerprints/close.ts'
import { getInboxEvent, listInboxEvents } from '../../domain/ingest/inbox/operations.ts'
import { previewDraft, previewTrigger } from '../../domain/ingest/preview/operations.ts'
import {
  createTrigger,
  deleteTrigger,
  getTrigger,
  listTriggers,
  putTrigger,
  updateTrigger,
} from '../../domain/ingest/triggers/operations.ts'
import { listTemplates } from '../../domain/ingest/triggers/templates/list-templates.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'External events')

export const externalEventRoutes = [
  post('/beats/{id}/open-fingerprints/close', closeOpenFingerprint),
  get('/external-event-endpoints', listEndpoints),
  post('/external-event-endpoints', createEndpoint, { status: 201 }),
  put('/external-event-endpoints/external/{external_id}', putEndpoint, { status: 201 }),
  get('/external-event-endpoints/{id}', getEndpoint),
  patch('/external-event-endpoints/{id}', updateEndpoint),
  del('/external-event-endpoints/{id}', deleteEndpoint),
  post('/external-event-endpoints/{id}/rotate', rotateToken),
  post('/external-event-endpoints/{id}/enable', enableEndpoint),
  post('/external-event-endpoints/{id}/disable', disableEndpoint),
  get('/external-events', listInboxEvents),
  get('/external-events/{id}', getInboxEvent),
  get('/external-triggers', listTriggers),
  post('/external-triggers', createTrigger, { status: 201 }),
  post('/external-triggers/preview', previewDraft),
  get('/external-triggers/templates', listTemplates),
  put('/external-triggers/external/{external_id}', putTrigger, { status: 201 }),
  get('/external-triggers/{id}', getTrigger),
  post('/external-triggers/{id}/preview', previewTrigger),
  patch('/external-triggers/{id}', updateTrigger),
  del('/external-triggers/{id}', deleteTrigger),
]
