import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { portOf } from '../../src/domain/beats/types/url-rules.ts'
import type { Attempt } from '../../src/outbound/connections/attempt.ts'
import { dial } from '../../src/outbound/connections/dial.ts'
import { Failure } from '../../src/outbound/connections/failure.ts'
import type { IpFamily } from '../../src/outbound/connections/guard.ts'
import { type Trust, trusted } from '../../src/outbound/connections/secure.ts'

export interface Question {
  url: URL
  method: string
  headers: Record<string, string>
  body?: string
  ip_family: IpFamily
  trust: Trust
  /** The host of the first URL, set for a request that follows a redirect. */
  first_host?: string
}

export interface Answer {
  url: URL
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** Whether only the first bytes of the body were read. */
  cut: boolean
  certificate_days?: number
}

const MAX_BODY = 256 * 1024
const MAX_HEADERS = 64 * 1024
const own: Record<string, string> = { 'User-Agent': 'Upbeat', Accept: '*/*' }

/** One request over a new connection: a connection that is kept from the last check would hide that new ones fail. */
export async function exchange(question: Question, attempt: Attempt): Promise<Answer> {
  const { url, method, trust, ip_family, first_host = url.hostname } = question
  const secure = url.protocol === 'https:'
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = portToDial(url)
  const place = { host: name, port, ip_family, server_name: name, redirected: url.hostname !== first_host }
  const secured = secure ? await trusted(place, trust, attempt) : null
  const socket = secured?.socket ?? (await dial(name, port, ip_family, attempt))

  attempt.doing('waiting for the answer')
  const sent = request({
    createConnection: () => socket,
    method,
    path: url.pathname + url.search,
    headers: headersOf(question),
    maxHeaderSize: MAX_HEADERS,
  })
  attempt.hold(sent).end(question.body)
  const response = await answerTo(sent, attempt)
  attempt.doing('reading the answer')
  return {
    url,
    status: response.statusCode ?? 0,
    headers: response.headers,
    ...(await bodyOf(response, attempt)),
    certificate_days: secured?.certificate_days,
  }
}

function portToDial(url: URL): number {
  if (url.port === '0') throw new Failure(`${url.host} cannot be reached: nothing can listen at port 0`)
  return portOf(url)
}

/** The headers of the beat override the default headers. */
function headersOf({ url, headers }: Question): Record<string, string> {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const ours = Object.entries({ Host: url.host, ...own }).filter(([name]) => !names.has(name.toLowerCase()))
  return { ...Object.fromEntries(ours), ...headers, Connection: 'close' }
}

function answerTo(sent: ClientRequest, { where }: Attempt): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('upgrade', resolve)
    sent.on('error', (problem: NodeJS.ErrnoException) => {
      const closed = problem.code === 'ECONNRESET' && problem.syscall === undefined
      reject(closed ? new Failure(`${where} closed the connection without an answer`) : problem)
    })
  })
}

function bodyOf(response: IncomingMessage, { where }: Attempt): Promise<{ body: Buffer; cut: boolean }> {
  const { statusCode } = response
  if (statusCode === 101) return Promise.resolve({ body: Buffer.alloc(0), cut: false })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (cut: boolean) => resolve({ body: Buffer.concat(chunks).subarray(0, MAX_BODY), cut })
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size <= MAX_BODY) return
      done(true)
      response.destroy()
    })
    response.on('end', () => done(false))
    response.on('error', () => {
      reject(new Failure(`${where} closed the connection before the end of its answer`, { status_code: statusCode }))
    })
  })
}
