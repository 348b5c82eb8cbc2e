import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the checks of benchmarks ask: it is well, and does nothing else. */
const server = createServer((_request, response) => response.end('well'))
server.listen(0, '127.0.0.1', 8192, () => process.send?.({ ready: { port: (server.address() as AddressInfo).port } }))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
