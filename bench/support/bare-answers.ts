import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the reads of a page are measured against: no framework, no routes, the same bytes with the same headers from memory. */
export interface BareAnswer {
  path: string
  headers: Record<string, string>
  /** In base64. */
  body: string
}

const answers = new Map<string, { headers: Record<string, string>; body: Buffer }>()

const server = createServer(({ url = '' }, response) => {
  const answer = answers.get(url)
  if (!answer) return void response.writeHead(404).end()
  response.writeHead(200, answer.headers).end(answer.body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ ready: { port: (server.address() as AddressInfo).port } }))
process.on('message', ({ path, headers, body }: BareAnswer) => {
  answers.set(path, { headers, body: Buffer.from(body, 'base64') })
  process.send?.({ stored: path })
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
