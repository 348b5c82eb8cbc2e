import { once } from 'node:events'
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** A request of the service to itself, without a connection. No rate limit counts the request. */
export class InnerRequest extends IncomingMessage {}

interface Asked {
  host: string
  path: string
  signal: AbortSignal
}

const PATIENCE_MS = 30_000

/** Asks the application as a reader would; the answer is its status. */
export async function askApplication(handler: RequestListener, { host, path, signal }: Asked): Promise<number> {
  const connection = new Duplex({ read() {}, write: (_chunk, _encoding, written) => written() }) as Socket
  const request = new InnerRequest(connection)
  Object.assign(request, { method: 'GET', url: path, httpVersion: '1.1', headers: { host } })
  Object.assign(request, { httpVersionMajor: 1, httpVersionMinor: 1 })
  request.push(null)
  const response = new ServerResponse(request)
  response.assignSocket(connection)
  const answered = once(response, 'finish', { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) })
  handler(request, response as Parameters<RequestListener>[1])
  await answered
  connection.destroy()
  return response.statusCode
}
