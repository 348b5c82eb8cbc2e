import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The server that the checks of benchmarks ask: it answers 200, and 500 once a message orders that. */
let status = 200
const server = createServer((_request, response) => {
  response.statusCode = status
  response.end('well')
})
server.listen(0, '127.0.0.1', 8192, () => process.send?.({ ready: { port: (server.address() as AddressInfo).port } }))
process.on('message', (order: { status: number }) => {
  status = order.status
  process.send?.({ status })
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
