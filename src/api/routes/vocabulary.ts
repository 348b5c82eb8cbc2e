import {
  createIncidentStage,
  createStatusType,
  getIncidentStage,
  getStatusType,
  listIncidentStages,
  listStatusTypes,
} from '../../domain/vocabulary/operations.ts'
import { routesOf } from './route.ts'

const { get, post } = routesOf('admin', 'Vocabulary')

export const vocabularyRoutes = [
  get('/status-types', listStatusTypes),
  post('/status-types', createStatusType, { status: 201 }),
  get('/status-types/{id}', getStatusType),
  get('/lifecycle-stages/incident', listIncidentStages),
  post('/lifecycle-stages/incident', createIncidentStage, { status: 201 }),
  get('/lifecycle-stages/incident/{id}', getIncidentStage),
]
