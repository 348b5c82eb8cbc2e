import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import type { Directory } from '../../domain/pages/directory.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { Readers } from '../feed-readers.ts'
import { routeName } from '../page-path.ts'
import type { PublicReads, Validity } from '../public-reads.ts'
import type { RateLimit } from '../rate-limits.ts'
import { requestIdOf } from '../requests.ts'
import type { ApiState } from '../state.ts'
import type { Body } from './bodies.ts'
import { boundedMap } from './bounded-map.ts'
import { type Encoding, knownEtag } from './encodings-rules.ts'
import { type HeadLines, joinLines, sendWithHead, sharedLinesOf } from './heads.ts'
import { addressOf, keyOf } from './request-key-rules.ts'

interface Deps {
  reads: PublicReads
  directory: Directory
  limit: RateLimit
  metrics: Metrics
  logger: Logger
  trustProxy: boolean
}

interface KnownAnswer {
  body: Body
  encoding: Encoding
  etag: string
  bytes: Buffer | string
  lines: Record<200 | 304, HeadLines>
  measure: Record<200 | 304, (seconds: number) => void>
  route: string
  validity: Validity
  directoryVersion: number
  readers: Readers | undefined
}

interface Asked {
  key: string
  directoryVersion: number | undefined
}

const MOST_ANSWERS = 20_000
const MOST_BYTES = 64 * 1024 * 1024
const PUBLIC = 'public, no-cache'

/**
 * Answers repeated reads of the public in front of routing and middleware: the middleware remembers what it answered, until the
 * page or the list of pages changes.
 */
export function openKnownAnswers({ reads, directory, limit, metrics, logger, trustProxy }: Deps) {
  const answers = boundedMap<KnownAnswer>({
    maxCount: MOST_ANSWERS,
    maxBytes: MOST_BYTES,
    bytesOf: (key, { bytes }) => key.length + bytes.length + 1000,
  })
  const asked = new WeakMap<IncomingMessage, Asked>()

  function find(key: string, directoryVersion: number | undefined): KnownAnswer | undefined {
    const answer = answers.get(key)
    if (!answer || answer.directoryVersion !== directoryVersion) return undefined
    if (reads.isEnding(answer.validity)) return undefined
    if (reads.isValid(answer.validity)) return answer
    answers.remove(key)
    return undefined
  }

  /** Whether the request is answered. */
  function answerKnown(request: IncomingMessage, response: ServerResponse): boolean {
    const started = performance.now()
    const { headers, socket } = request
    const key = keyOf(request, trustProxy)
    if (key === undefined || !response.shouldKeepAlive || request.httpVersion !== '1.1') return false
    const directoryVersion = directory.version()
    const answer = find(key, directoryVersion)
    const status = answer && statusOf(answer, headers['if-none-match'])
    if (status === undefined) {
      asked.set(request, { key, directoryVersion })
      return false
    }
    const address = addressOf(headers, socket.remoteAddress ?? '', trustProxy)
    if (!limit.admits(address)) return false
    const requestId = requestIdOf(headers['x-request-id'])
    send(response, answer!, status, requestId)
    const seconds = (performance.now() - started) / 1000
    const { method = '' } = request
    answer!.measure[status](seconds)
    answer!.readers?.add(address, headers['user-agent'])
    if (logger.isLevelEnabled('debug')) {
      const line = { request_id: requestId, method, route: answer!.route, status, ms: Math.round(seconds * 1000) }
      logger.debug(line, 'answered')
    }
    return true
  }

  /** Remembers the answer to the request, if it is the same for all readers. */
  function remember(ctx: Context & { state: ApiState }): void {
    const request = asked.get(ctx.req)
    const { sent, readers } = ctx.state
    if (!request || request.directoryVersion === undefined || !sent || ctx.state.route === undefined) return
    const route = routeName(ctx.state)
    if (ctx.response.get('Cache-Control') !== PUBLIC || ctx.res.hasHeader('Set-Cookie')) return
    const { body, encoding, etag, type, validity } = sent
    const bytes = body.in(encoding)
    // Another request with the same key will find the body compressed.
    if (!Buffer.isBuffer(bytes)) return
    const { key, directoryVersion } = request
    const { method, res } = ctx
    res.once('finish', () => {
      const shared = sharedLinesOf(res)
      if (!shared) return
      const unchanged = [...shared, `ETag: ${etag}`]
      const content = [`Content-Type: ${type}`, ...encodingLine(encoding), `Content-Length: ${bytes.length}`]
      const lines = { 200: joinLines([...unchanged, ...content]), 304: joinLines(unchanged) }
      const measured = (status: string) => {
        const child = metrics.requests.labels(method, route, status)
        return (seconds: number) => child.observe(seconds)
      }
      const measure = { 200: measured('200'), 304: measured('304') }
      answers.set(key, {
        body,
        encoding,
        etag,
        bytes: textOf(bytes),
        lines,
        measure,
        route,
        validity,
        directoryVersion,
        readers,
      })
    })
  }

  return {
    before(handler: RequestListener): RequestListener {
      return (request, response) => {
        if (!answerKnown(request, response)) handler(request, response)
      }
    },
    remember: (async (ctx, next) => {
      await next()
      remember(ctx)
    }) satisfies Middleware<ApiState> as Middleware<ApiState>,
  }
}

/** 304 or 200; undefined for a client that has the body in another encoding than its preferred one. */
function statusOf({ body, encoding, etag }: KnownAnswer, ifNoneMatch: string | undefined): 200 | 304 | undefined {
  if (ifNoneMatch === undefined) return 200
  if (ifNoneMatch === etag) return 304
  const known = knownEtag(ifNoneMatch, body.etag, encoding)
  if (known === undefined) return 200
  return known === etag ? 304 : undefined
}

function send(response: ServerResponse, { lines, bytes }: KnownAnswer, status: 200 | 304, requestId: string): void {
  sendWithHead(response, status, requestId, lines[status])
  if (status === 304 || response.req.method === 'HEAD') response.end()
  else response.end(bytes, 'latin1')
}

/** Node sends a text with its head in one write, which for bodies up to this length takes no more time than a head and a buffer. */
const LONGEST_TEXT = 8 * 1024
const textOf = (bytes: Buffer): Buffer | string => (bytes.length > LONGEST_TEXT ? bytes : bytes.toString('latin1'))

const encodingLine = (encoding: Encoding): string[] =>
  encoding === 'identity' ? [] : [`Content-Encoding: ${encoding}`]
