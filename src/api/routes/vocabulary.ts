import {
  createStatusType,
  deleteStatusType,
  getStatusType,
  listStatusTypes,
  reorderStatusTypes,
  restoreStatusTypes,
  updateStatusType,
} from '../../domain/hierarchy/status-types.ts'
import { stageOperations } from '../../domain/vocabulary/stages.ts'
import { type Route, routesOf } from './route.ts'

const { get, post, put, patch, del } = routesOf('admin', 'Vocabulary')

function stageRoutes(kind: 'incident' | 'maintenance'): Route[] {
  const stages = stageOperations(kind)
  const path = `/lifecycle-stages/${kind}`
  return [
    get(path, stages.list),
    post(path, stages.create, { status: 201 }),
    put(`${path}/reorder`, stages.reorder),
    post(`${path}/defaults`, stages.restore),
    get(`${path}/{id}`, stages.get),
    patch(`${path}/{id}`, stages.update),
    del(`${path}/{id}`, stages.delete),
  ]
}

export const vocabularyRoutes = [
  get('/status-types', listStatusTypes),
  post('/status-types', createStatusType, { status: 201 }),
  put('/status-types/reorder', reorderStatusTypes),
  post('/status-types/defaults', restoreStatusTypes),
  get('/status-types/{id}', getStatusType),
  patch('/status-types/{id}', updateStatusType),
  del('/status-types/{id}', deleteStatusType),
  ...stageRoutes('incident'),
  ...stageRoutes('maintenance'),
]
