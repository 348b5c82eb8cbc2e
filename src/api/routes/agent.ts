import { getCapabilities } from '../../domain/agent/capabilities.ts'
import { listPlans } from '../../domain/agent/plans/list.ts'
import { cancelPlan, confirmPlan, createPlan, getPlan, respondToPlan } from '../../domain/agent/plans/operations.ts'
import { recordDelivery, recordFeedback } from '../../domain/agent/turns/deliver.ts'
import { getTurn, listTurns } from '../../domain/agent/turns/list.ts'
import { respond } from '../../domain/agent/turns/respond.ts'
import { routesOf } from './route.ts'

const { get, post } = routesOf('admin', 'Agent')

export const agentRoutes = [
  get('/agent/delegations/capabilities', getCapabilities),
  post('/agent/delegations/respond', respond, { waits: 'turn' }),
  post('/agent/delegations/delivery', recordDelivery),
  post('/agent/delegations/feedback', recordFeedback),
  get('/agent/delegations/turns', listTurns),
  get('/agent/delegations/turns/{id}', getTurn),
  get('/agent/delegations/plans', listPlans),
  post('/agent/delegations/plans', createPlan, { status: 201 }),
  get('/agent/delegations/plans/{id}', getPlan),
  post('/agent/delegations/plans/{id}/respond', respondToPlan, { waits: 'plan' }),
  post('/agent/delegations/plans/{id}/confirm', confirmPlan, { waits: 'confirmation' }),
  post('/agent/delegations/plans/{id}/cancel', cancelPlan),
]
