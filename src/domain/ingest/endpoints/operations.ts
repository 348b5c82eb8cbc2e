import { z } from 'zod'
import { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import { IngestCount } from '../../../persistence/entities/ingest-count.ts'
import { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { IngestToken } from '../../../persistence/entities/ingest-token.ts'
import { deleteEvents } from '../../../persistence/ingest-events.ts'
import { assignDefined } from '../../kernel/assign.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem, requireVersion } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf } from '../../kernel/paging.ts'
import { requireStored } from '../../kernel/read-only.ts'
import { findRepeated, rememberRequest } from '../../kernel/repeated.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { message, versionToDelete } from '../../kernel/schema.ts'
import { presentEndpoints } from './presenter.ts'
import {
  EndpointCreateRequest,
  EndpointListRequest,
  EndpointPutRequest,
  EndpointUpdateRequest,
  IngestEndpointResource,
  IngestEndpointWithToken,
  SwitchRequest,
} from './schema.ts'
import { endpointName, endpointSubject, inboxProcess, tokenProcess } from './subject.ts'
import { issueToken, startCounting } from './token.ts'

const present = async (ctx: Context, endpoint: IngestEndpoint) => (await presentEndpoints(ctx, [endpoint]))[0]!

export const listEndpoints = operation({
  name: 'ingest_endpoints.list',
  area: 'endpoints',
  permission: 'admin',
  summary: 'List ingest endpoints, newest first',
  changes: false,
  input: EndpointListRequest,
  output: listOf('external_event_endpoints', IngestEndpointResource),
  run: async (ctx, { limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
    const where = after ? { id: { $lt: after[0] } } : {}
    const rows = await ctx.tx.find(IngestEndpoint, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
    const page = pageOf(rows, limit, ({ id }) => [id])
    return {
      external_event_endpoints: await presentEndpoints(ctx, page.rows),
      total: await ctx.tx.count(IngestEndpoint),
      next_cursor: page.next_cursor,
    }
  },
})

export const getEndpoint = operation({
  name: 'ingest_endpoints.get',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Get an ingest endpoint',
  changes: false,
  subject: endpointSubject,
  input: z.strictObject({}),
  output: IngestEndpointResource,
  run: (ctx, _input, endpoint) => present(ctx, endpoint),
})

export const createEndpoint = operation({
  name: 'ingest_endpoints.create',
  makes: 'ingest endpoint',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Create an ingest endpoint; only the answer shows its token',
  description:
    'Whatever can POST a JSON object can send events: with the token in `X-External-Event-Token`, as a bearer token, or in the path. With an `external_id` the call may be repeated: the same request answers 200 with the stored record, without the token.',
  input: EndpointCreateRequest,
  output: IngestEndpointWithToken,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, IngestEndpoint, 'ingest endpoint', input, () => endpointDefaults)
    return stored ? present(ctx, stored) : makeEndpoint(ctx, input)
  },
})

const endpointDefaults = { description: '', provider_type: 'generic', enabled: true }

export const putEndpoint = operation({
  name: 'ingest_endpoints.put',
  makes: 'ingest endpoint',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Create or replace the ingest endpoint with this external id',
  description:
    'A field that the body leaves out gets its default; `enabled` and the tokens stay. Only a creation answers with a token.',
  input: EndpointPutRequest,
  output: IngestEndpointWithToken,
  run: async (ctx, input) => {
    const { external_id } = input
    const endpoint = await endpointSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(endpoint, input.version)
    if (!endpoint) {
      await rememberRequest(ctx, 'ingest endpoint', input, () => endpointDefaults)
      return makeEndpoint(ctx, input)
    }
    ctx.revised()
    return change(ctx, endpoint, { ...input, description: input.description ?? '' })
  },
})

type NewEndpoint = Pick<
  z.output<typeof EndpointCreateRequest>,
  'name' | 'description' | 'external_id' | 'provider_type'
>

async function makeEndpoint(ctx: Context, input: NewEndpoint & { enabled?: boolean | undefined }) {
  const { tx, page, now } = ctx
  const { name, provider_type, enabled = true } = input
  const endpoint = tx.create(IngestEndpoint, {
    page_id: page.id,
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    ...{ name, description: input.description ?? '', provider_type, enabled },
    version: 1,
    created_at: now,
    updated_at: now,
  })
  await tx.flush()
  startCounting(ctx, endpoint)
  const secrets = await issueToken(ctx, endpoint)
  return { ...(await present(ctx, endpoint)), ...secrets }
}

export const updateEndpoint = operation({
  name: 'ingest_endpoints.update',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Change an ingest endpoint',
  subject: endpointSubject,
  input: EndpointUpdateRequest,
  output: IngestEndpointResource,
  run: (ctx, input, endpoint) => change(ctx, endpoint, input),
})

export const enableEndpoint = operation({
  name: 'ingest_endpoints.enable',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Enable an ingest endpoint',
  subject: endpointSubject,
  input: SwitchRequest,
  output: IngestEndpointResource,
  run: (ctx, _input, endpoint) => change(ctx, endpoint, { enabled: true }),
})

export const disableEndpoint = operation({
  name: 'ingest_endpoints.disable',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Disable an ingest endpoint',
  description:
    'Events are refused with 403 from the next request on. Events that were accepted before are still evaluated, and no stage changes.',
  subject: endpointSubject,
  input: SwitchRequest,
  output: IngestEndpointResource,
  run: (ctx, _input, endpoint) => change(ctx, endpoint, { enabled: false }),
})

interface Changes extends Partial<Pick<IngestEndpoint, 'name' | 'provider_type' | 'enabled'>> {
  description?: string | null | undefined
}

async function change(
  ctx: Context,
  endpoint: IngestEndpoint,
  changes: { [K in keyof Changes]: Changes[K] | undefined },
) {
  requireStored(ctx, await present(ctx, endpoint))
  const revise = trackRevision(ctx, endpointSubject, endpoint)
  const { name, provider_type, enabled } = changes
  const description = changes.description === null ? '' : changes.description
  assignDefined(endpoint, { name, description, provider_type, enabled })
  revise()
  return present(ctx, endpoint)
}

export const deleteEndpoint = operation({
  name: 'ingest_endpoints.delete',
  area: 'endpoints',
  permission: 'admin',
  summary: 'Delete an ingest endpoint with its events',
  description: 'Its tokens end at once. A 409 while a trigger uses the endpoint. No stage of a beat changes.',
  subject: endpointSubject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, endpoint) => {
    const { tx } = ctx
    const { id } = endpoint
    const user = await tx.findOne(EventTrigger, { source_id: id }, { orderBy: { id: 'asc' } })
    if (user) {
      const used = `The ${endpointName(endpoint)} is used by the trigger "${user.name}" (${user.id})`
      throw new Problem('conflict', `${used}: delete the trigger first.`)
    }
    await tx.nativeDelete(IngestToken, { endpoint_id: id })
    await tx.nativeDelete(IngestCount, { endpoint_id: id })
    await deleteEvents(tx, id)
    tx.remove(endpoint)
    for (const process of [inboxProcess(id), tokenProcess(id)])
      ctx.wake(process, `the deletion of the ${endpointName(endpoint)}`)
    return { message: `The ${endpointName(endpoint)} was deleted with its events.` }
  },
})
