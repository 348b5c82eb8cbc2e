import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import type { TestService } from './test-service.ts'

/** An endpoint with its token, and beats that take external events. */

export async function makeEndpoint({ admin }: TestService, fields: object = {}) {
  const { status, body } = await admin.post('/admin/external-event-endpoints', { name: 'Alerts', ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id as number, token: body.ingest_token as string, body }
}

export async function makeEventBeat({ admin }: TestService, fields: object = {}): Promise<number> {
  const target = { kind: 'external_event' }
  const { status, body } = await admin.post('/admin/beats', {
    name: 'Orders',
    type: 'external_event',
    target,
    ...fields,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

const firing = {
  conditions: { path: '$.state', operator: 'exists' },
  stage_mapping: { state_path: '$.state', values: { firing: 'critical', degraded: 'warning', ok: 'healthy' } },
  output_mapping: { fingerprint_path: '$.alert', summary_path: '$.text' },
}

export async function makeTrigger({ admin }: TestService, source_id: number, beats: number[], fields: object = {}) {
  const { status, body } = await admin.post('/admin/external-triggers', {
    ...{ name: 'Alerts to stages', source_id, confirm_no_evidence: true, ...firing },
    associations: beats.map((monitor_id) => ({ monitor_id })),
    ...fields,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}

/** Sends an event with the token in the header. */
export async function send({ url }: TestService, token: string, event: unknown, headers: Record<string, string> = {}) {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const response = await fetch(`${url}/api/v1/external-events/ingest`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-External-Event-Token': token, ...headers },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: each test knows which answer it has.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

/** The inbox of the endpoint evaluates what is pending. */
export const evaluate = ({ services, page }: TestService, id: number) =>
  takeStep(services, steps.inbox, { kind: 'inbox', pageId: page.id, id })

export const eventOf = async ({ admin }: TestService, id: number) =>
  (await admin.get(`/admin/external-events/${id}`)).body
export const stageOf = async ({ admin }: TestService, id: number) =>
  (await admin.get(`/admin/beats/${id}`)).body.current_stage

/** An event that was accepted at the newest endpoint of the page. */
export async function insertEvent({ services }: TestService, page: { id: number }, body: object = {}): Promise<void> {
  await services.system.em.fork().execute(
    `insert into ingest_event (page_id, endpoint_id, received_at, body, headers, size, state)
      select page_id, id, now(), ?, '{}', 2, 'pending' from ingest_endpoint where page_id = ? order by id desc limit 1`,
    [JSON.stringify(body), page.id],
  )
}
