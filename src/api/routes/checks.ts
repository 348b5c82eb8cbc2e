import { getCheck, listChecks, runBeat, testBeat } from '../../domain/beats/checks/operations.ts'
import { routesOf } from './route.ts'

const { get, post } = routesOf('admin', 'Beats')

export const checkRoutes = [
  post('/beats/{id}/run', runBeat, { waits: 'check' }),
  post('/beats/test', testBeat, { waits: 'check' }),
  get('/beats/checks', listChecks),
  get('/beats/checks/{check_id}', getCheck),
]
