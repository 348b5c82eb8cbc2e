import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Acceptor } from '../domain/ingest/acceptance/acceptor.ts'
import { INGEST_PATH, ingestHashOf } from '../domain/ingest/endpoints/token.ts'
import { invalid, Problem } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { withDatabase } from '../domain/kernel/unavailable.ts'
import { redactText } from '../outbound/redaction-rules.ts'
import { isSecretName } from '../outbound/secret-rules.ts'
import { checkToken, type StoredIngestEvent, type Verdict } from '../persistence/system/ingest.ts'
import { readBytes, readJson, requireObject, requireShallow, tooLarge } from '../web/body.ts'
import { limitIngest, type RateLimits } from '../web/rate-limits.ts'
import type { ApiState } from '../web/state.ts'

type RequestContext = Context & { state: ApiState; params: Record<string, string> }

interface Deps {
  services: Services
  acceptor: Acceptor
  rateLimits: RateLimits
  ingestMaxBytes: number
}

/** The paths to which other systems send events. The token identifies the endpoint; a call needs no page. */
export function serveIngest(router: Router<ApiState>, deps: Deps): void {
  const limit = limitIngest(deps.rateLimits)
  for (const path of [INGEST_PATH, `${INGEST_PATH}/:token`]) {
    const take = async (ctx: RequestContext) => {
      ctx.state.route = path.replace(':token', '{token}')
      ctx.set('Cache-Control', 'no-store')
      await acceptEvent(deps, limit, ctx)
    }
    router.post(path, take as never)
  }
}

async function acceptEvent(deps: Deps, limit: ReturnType<typeof limitIngest>, ctx: RequestContext): Promise<void> {
  const { acceptor } = deps
  const hash = ingestHashOf(tokenOf(ctx))
  try {
    limit.spend(ctx, hash)
  } catch (error) {
    const known = hash === undefined ? undefined : limit.endpointOf(hash)
    if (known !== undefined) acceptor.countRefusal(known)
    throw error
  }
  if (hash === undefined) throw refusalOf('unknown')
  const body = await readChecked(deps, ctx, hash)
  const event = { hash, ...body, headers: JSON.stringify(headersOf(ctx)), deliveryKey: deliveryKeyOf(ctx) }
  const stored = await withDatabase(() => acceptor.accept(event))
  const works = stored.verdict === 'accepted' || stored.verdict === 'duplicate'
  limit.learn(ctx, hash, works ? stored.endpointId : undefined)
  answer(deps, ctx, stored)
}

/** The errors of a body are for senders with a token: without a valid token the token is the error. */
async function readChecked(deps: Deps, ctx: Context, hash: string) {
  try {
    return await readEvent(ctx, deps.ingestMaxBytes)
  } catch (error) {
    const { system, clock } = deps.services
    const { verdict, endpointId } = await withDatabase(() => checkToken(system, hash, clock()))
    if (endpointId !== undefined) deps.acceptor.countRefusal(endpointId)
    if (verdict !== 'accepted') throw refusalOf(verdict)
    throw error
  }
}

function answer({ acceptor }: Deps, ctx: Context, { verdict, eventId, endpointId }: StoredIngestEvent): void {
  if (verdict !== 'accepted' && verdict !== 'duplicate') {
    if (endpointId !== undefined) acceptor.countRefusal(endpointId)
    throw refusalOf(verdict)
  }
  ctx.status = 202
  ctx.body = { status: 'accepted', event_id: eventId, duplicate: verdict === 'duplicate' }
}

function refusalOf(verdict: Verdict): Problem {
  if (verdict === 'disabled') return new Problem('endpoint_disabled', 'The endpoint of this token is disabled.')
  return verdict === 'expired'
    ? new Problem('ingest_token_expired', 'This ingest token has expired: the endpoint has a newer token.')
    : new Problem('ingest_token_invalid', 'This is not the token of an ingest endpoint.')
}

/** The token from the path, else from the header of its own, else as a bearer token. Two different tokens are refused. */
function tokenOf(ctx: RequestContext): string {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization')) ?? []
  const given = [ctx.params.token, ctx.get('X-External-Event-Token') || undefined, bearer]
  const [token, ...others] = new Set(given.filter((one) => one !== undefined))
  if (token === undefined) {
    throw new Problem(
      'ingest_token_invalid',
      'This request needs an ingest token: in X-External-Event-Token, as a bearer token, or in the path.',
    )
  }
  if (others.length > 0) {
    const message = 'differs from another token of the request: send one token, in the path or in one header'
    throw invalid([{ path: 'token', message }])
  }
  return token
}

const TYPES = ['application/json', '+json', 'text/json', 'text/plain', 'application/x-amz-json-*']
const MAX_DEPTH = 64

async function readEvent(ctx: Context, maxBytes: number): Promise<{ body: string; size: number }> {
  const bytes = await decoded(ctx, await readBytes(ctx, maxBytes), maxBytes)
  if (ctx.get('Content-Type') !== '' && !ctx.is(...TYPES)) {
    throw new Problem('unsupported_media_type', 'Send the event as JSON, with Content-Type: application/json.')
  }
  requireShallow(bytes, MAX_DEPTH)
  const { text: body, value } = readJson(bytes)
  requireObject(value)
  return { body, size: bytes.length }
}

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

async function decoded(ctx: Context, bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const encoding = ctx.get('Content-Encoding').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return bytes
  if (!Object.hasOwn(decoders, encoding)) {
    throw new Problem(
      'unsupported_media_type',
      'Send the event without a Content-Encoding, or with gzip, deflate or br.',
    )
  }
  try {
    return await decoders[encoding as keyof typeof decoders](bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(maxBytes)
    }
    throw invalid([{ path: '', message: `The body is not valid ${encoding}.` }])
  }
}

const MOST_HEADERS = 64
const MOST_HEADER_BYTES = 8192

/** The headers that conditions may address, without those that carry credentials. */
function headersOf({ headers }: Context): Record<string, string[]> {
  let bytes = 0
  const kept: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(headers).slice(0, MOST_HEADERS)) {
    const values = [value ?? []].flat().map((one) => one.replaceAll('\0', ''))
    bytes += name.length + values.join('').length
    if (bytes > MOST_HEADER_BYTES) break
    if (!isSecretName(name)) kept[name] = values.map(redactText)
  }
  return kept
}

/** A sender that repeats a delivery names it by one of these headers. */
function deliveryKeyOf(ctx: Context): string | null {
  for (const name of ['Idempotency-Key', 'webhook-id']) {
    const value = ctx.get(name)
    if (value !== '') return createHash('sha256').update(`${name}:${value}`).digest('base64url')
  }
  return null
}
