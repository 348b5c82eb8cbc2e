import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Listening {
  port: number
  /** Takes no more requests, and resolves when the running requests are answered. */
  drain(): Promise<void>
}

/** Closes connections without a running request at a stop; Node would wait for idle connections. */
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
