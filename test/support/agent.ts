import type { Caller } from './caller.ts'
import { openTestService, type TestService } from './test-service.ts'

/** A service that answers turns and runs plans in its own process, as the API does. */
export const openAgentService = (options: Parameters<typeof openTestService>[0] = {}): Promise<TestService> =>
  openTestService({ takesSteps: true, agentPatienceMs: 20_000, ...options })

let messages = 0

/** Asks as a bot does, with keys of the message and of the thread. */
export async function ask(caller: Caller, query: string, conversation: object = {}, fields: object = {}) {
  messages += 1
  return caller.post('/admin/agent/delegations/respond', {
    query,
    surface: 'chat_delegated_bot',
    delegating_agent: { name: 'Bot', provider: 'chat', chat_app_id: 'A1' },
    actor: { chat_team_id: 'T1', chat_user_id: 'U1' },
    conversation: { external_thread_key: 'thread', external_message_key: `message ${messages}`, ...conversation },
    ...fields,
  })
}

export async function draftPlan(caller: Caller, ...steps: { operation: string; input?: object }[]) {
  const { status, body } = await caller.post('/admin/agent/delegations/plans', { steps })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

export const planCalls = (caller: Caller, id: number) => ({
  get: () => caller.get(`/admin/agent/delegations/plans/${id}`),
  confirm: (body: object = {}, headers: Record<string, string> = {}) =>
    caller.post(`/admin/agent/delegations/plans/${id}/confirm`, body, headers),
  respond: (answers: object) => caller.post(`/admin/agent/delegations/plans/${id}/respond`, { answers }),
  cancel: (body: object = {}) => caller.post(`/admin/agent/delegations/plans/${id}/cancel`, body),
})
