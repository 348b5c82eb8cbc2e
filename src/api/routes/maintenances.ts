import { backfillMaintenance } from '../../domain/maintenances/backfill.ts'
import { putMaintenance, updateMaintenance } from '../../domain/maintenances/operations/change.ts'
import { createMaintenance } from '../../domain/maintenances/operations/create.ts'
import {
  getMaintenance,
  getPublicMaintenance,
  listMaintenances,
  listPublicMaintenances,
} from '../../domain/maintenances/read.ts'
import { deleteMaintenance } from '../../domain/maintenances/remove.ts'
import { addUpdate, deleteUpdate, editUpdate, getUpdate, listUpdates } from '../../domain/maintenances/timeline.ts'
import { cancelMaintenance, completeMaintenance, startMaintenance } from '../../domain/maintenances/transitions.ts'
import { putSeries, updateSeries } from '../../domain/series/change.ts'
import { createSeries } from '../../domain/series/create.ts'
import { listOccurrences, skipOccurrence, unskipOccurrence } from '../../domain/series/occurrences.ts'
import { previewSeries } from '../../domain/series/preview.ts'
import { getSeries, listSeries } from '../../domain/series/read.ts'
import { deleteSeries } from '../../domain/series/remove.ts'
import { endSeries, pauseSeries, resumeSeries } from '../../domain/series/status.ts'
import { routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Maintenances')
const open = routesOf('public', 'Public')

export const maintenanceRoutes = [
  get('/maintenances', listMaintenances),
  post('/maintenances', createMaintenance, { status: 201 }),
  post('/maintenances/backfill', backfillMaintenance, { status: 201, createsSibling: true }),
  put('/maintenances/external/{external_id}', putMaintenance, { status: 201 }),
  get('/maintenances/{id}', getMaintenance),
  patch('/maintenances/{id}', updateMaintenance),
  del('/maintenances/{id}', deleteMaintenance),
  post('/maintenances/{id}/start', startMaintenance),
  post('/maintenances/{id}/complete', completeMaintenance),
  post('/maintenances/{id}/cancel', cancelMaintenance),
  get('/maintenances/{id}/updates', listUpdates),
  post('/maintenances/{id}/updates', addUpdate, { status: 201 }),
  get('/maintenances/{id}/updates/{update_id}', getUpdate),
  patch('/maintenances/{id}/updates/{update_id}', editUpdate),
  del('/maintenances/{id}/updates/{update_id}', deleteUpdate),
  get('/maintenance-series', listSeries),
  post('/maintenance-series', createSeries, { status: 201 }),
  post('/maintenance-series/preview', previewSeries),
  put('/maintenance-series/external/{external_id}', putSeries, { status: 201 }),
  get('/maintenance-series/{id}', getSeries),
  patch('/maintenance-series/{id}', updateSeries),
  del('/maintenance-series/{id}', deleteSeries),
  post('/maintenance-series/{id}/pause', pauseSeries),
  post('/maintenance-series/{id}/resume', resumeSeries),
  post('/maintenance-series/{id}/end', endSeries),
  get('/maintenance-series/{id}/occurrences', listOccurrences),
  post('/maintenance-series/{id}/occurrences/{index}/skip', skipOccurrence),
  post('/maintenance-series/{id}/occurrences/{index}/unskip', unskipOccurrence),
  open.get('/maintenances', listPublicMaintenances),
  open.get('/maintenances/{id}', getPublicMaintenance),
]
