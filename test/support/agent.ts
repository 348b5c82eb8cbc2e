import { respond } from '../../src/domain/agent/turns/respond.ts'
import { execute } from '../../src/domain/kernel/execute.ts'
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

/** Stores a message whose API process ends before the answer; returns the id of the turn. */
export async function askSilently({ services, page }: TestService, query: string): Promise<number> {
  const actor = { kind: 'system', name: 'Bot', permission: 'read', role_key: 'page_viewer' } as const
  const call = { page, actor, requestId: 'silent', input: { query }, silent: true }
  const { output } = await execute(services, respond, call)
  return (output as { turn_id: number }).turn_id
}

/** A turn and its plan that any token of the page may read. */
export async function insertTurnAndPlan({ services, now }: TestService, { id: page_id }: TestService['page']) {
  const asker = JSON.stringify({ id: 0, name: 'Bot', permission: 'read', role_key: 'page_viewer' })
  await services.system.em.fork().execute(
    `with turn as (insert into delegation_turn
        (page_id, chat_app_id, message_key, query, asked, asker, reach, state, answer, created_at, response_key)
        values (?, '', 'example', 'Is everything up', '{}', ?, '{}', 'answered', '{}', ?, 'example') returning id)
      insert into action_plan
        (page_id, turn_id, status, summary, steps, questions, conflicts, asker, reach, created_at, expires_at, version)
        select ?, id, 'needs_input', 'A plan', '[]',
          '[{"key": "title", "prompt": "Name the title.", "kind": "text", "required": true}]', '[]', ?, '{}', ?, ?, 1 from turn`,
    [page_id, asker, now, page_id, asker, now, new Date(now.getTime() + 24 * 60 * 60 * 1000)],
  )
}
