import { askWorkflow, getWorkflow, getWorkflowHistory, listWorkflows } from '../../domain/processes/operations.ts'
import { routesOf } from './route.ts'

const { get, post } = routesOf('admin', 'Workflows')

export const workflowRoutes = [
  get('/workflows', listWorkflows),
  get('/workflows/{workflow_id}', getWorkflow),
  get('/workflows/{workflow_id}/history', getWorkflowHistory, { inspects: true }),
  post('/workflows/{workflow_id}/wake', askWorkflow, { waits: 'process' }),
]
