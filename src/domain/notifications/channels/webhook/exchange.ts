import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Attempt } from '../../../../outbound/connections/attempt.ts'
import { dial } from '../../../../outbound/connections/dial.ts'
import { Failure } from '../../../../outbound/connections/failure.ts'
import { type Trust, trusted } from '../../../../outbound/connections/secure.ts'
import { placeOf } from '../../../../outbound/host-rules.ts'
import { portOf } from '../../../beats/types/url-rules.ts'
import type { Connections, Opening } from './connections.ts'
import type { Answer } from './outcome-rules.ts'

export interface Question {
  url: URL
  headers: Record<string, string>
  body: string
  trust: Trust
}

const MAX_BODY = 4 * 1024
const MAX_HEADERS = 64 * 1024
/** The outcome is known from the status: the rest of a slow body is not waited for. */
const BODY_MS = 1000
/** Before the timeout of the attempt, which would hide the status. */
const SPARE_MS = 100

/**
 * Posts a body over a kept connection. A server may close a kept connection at the moment of the request: then the request
 * is sent once more over a new connection. The id of the message identifies a request that arrived twice.
 */
export async function exchange(question: Question, attempt: Attempt, connections: Connections): Promise<Answer> {
  const first = post(question, attempt, connections.kept(question.url.protocol === 'https:'))
  try {
    return await answerOf(await first.response, attempt)
  } catch (problem) {
    if (!first.sent.reusedSocket || !isReset(problem)) throw inWords(problem, attempt)
  }
  try {
    return await answerOf(await post(question, attempt, connections.fresh).response, attempt)
  } catch (problem) {
    throw inWords(problem, attempt)
  }
}

function post({ url, headers, body, trust }: Question, attempt: Attempt, agent: Connections['fresh']) {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = portOf(url)
  const place = { host, port, ip_family: undefined, server_name: host }
  async function open(): Promise<Socket> {
    const { protocol } = url
    const socket =
      protocol === 'https:' ? (await trusted(place, trust, attempt)).socket : await dial(host, port, undefined, attempt)
    attempt.doing('waiting for the answer')
    return socket
  }
  attempt.doing('waiting for the answer', placeOf(host, port))
  const opening: Opening = { open }
  const sent = request({
    ...opening,
    ...{ agent, method: 'POST', host, port, path: url.pathname + url.search, maxHeaderSize: MAX_HEADERS },
    headers: { Host: url.host, 'User-Agent': 'Upbeat', 'Content-Length': Buffer.byteLength(body), ...headers },
  })
  attempt.hold(sent).end(body)
  return { sent, response: responseTo(sent) }
}

function responseTo(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(response)
    })
    sent.on('error', reject)
  })
}

const isReset = (problem: unknown) => /^(ECONNRESET|EPIPE)$/.test(String((problem as { code?: unknown }).code))

function inWords(problem: unknown, { where }: Attempt): unknown {
  const { code, syscall } = (problem ?? {}) as NodeJS.ErrnoException
  const closed = code === 'ECONNRESET' && syscall === undefined
  return closed ? new Failure(`${where} closed the connection without an answer`) : problem
}

async function answerOf(response: IncomingMessage, attempt: Attempt): Promise<Answer> {
  const { statusCode = 0, headers } = response
  const body = statusCode === 101 ? '' : await beginningOf(response, Math.min(BODY_MS, attempt.left - SPARE_MS))
  return { status: statusCode, retry_after: headers['retry-after'], body }
}

/** Reads a short body to its end, after which the connection is kept. Otherwise the connection is closed. */
function beginningOf(response: IncomingMessage, patience: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).subarray(0, MAX_BODY).toString())
    }
    const abandon = () => {
      response.destroy()
      done()
    }
    const timer = setTimeout(abandon, patience)
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_BODY) abandon()
    })
    response.on('end', done)
    response.on('error', done)
    response.on('close', done)
  })
}
