import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads bodies whose schema the document describes.
  body: any
}

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** A receiver of webhooks: answers 204, or what a test sets. */
export interface WebhookSink {
  url: string
  received: Received[]
  /** The answer to a request; a negative status never answers. */
  answer: (request: Received) => Answer | Promise<Answer>
  close(): Promise<void>
}

export async function openWebhookSink(): Promise<WebhookSink> {
  const sink: Pick<WebhookSink, 'received' | 'answer'> = { received: [], answer: () => ({ status: 204 }) }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const received = { path: request.url ?? '/', headers: request.headers, text, body: JSON.parse(text) }
    sink.received.push(received)
    const { status, headers = {}, body = '' } = await sink.answer(received)
    if (status > 0) response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(sink, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
