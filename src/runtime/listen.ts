import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Listening {
  port: number
  /** Takes no more requests, and resolves when those under way are answered. */
  drain(): Promise<void>
}

/**
 * Node waits for connections that are kept for a next request, and for those that never sent one. Nobody who stops a
 * service wants that, so what is not busy with a request is closed.
 */
export async function listen(handler: RequestListener, where: { port: number; host: string }): Promise<Listening> {
  const server = createServer(handler)
  const open = new Set<Socket>()
  const busy = new Set<Socket>()
  let draining = false
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    busy.add(socket)
    response.once('close', () => {
      busy.delete(socket)
      if (draining) socket.end()
    })
  })
  server.listen(where.port, where.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async drain() {
      draining = true
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) if (!busy.has(socket)) socket.destroy()
      await closed
    },
  }
}
