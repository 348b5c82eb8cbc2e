import { getMetrics } from '../../domain/beats/results/metrics.ts'
import { listPublicMetrics } from '../../domain/beats/results/public.ts'
import { listRuns } from '../../domain/beats/results/runs.ts'
import { listGroupTransitions, listTransitions } from '../../domain/beats/results/transitions.ts'
import { routesOf } from './route.ts'

const { get } = routesOf('admin', 'Beats')
const groups = routesOf('admin', 'Beat groups')
const open = routesOf('public', 'Public')

export const beatResultRoutes = [
  get('/beats/{id}/runs', listRuns),
  get('/beats/{id}/transitions', listTransitions),
  groups.get('/beat-groups/{id}/transitions', listGroupTransitions),
  get('/beats/{id}/metrics', getMetrics),
  open.get('/pages/public/{page_slug}/metrics', listPublicMetrics),
]
