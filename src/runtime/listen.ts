import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Listening {
  port: number
  /** Takes no more requests, and resolves when the running requests are answered. */
  drain(): Promise<void>
}

/** Closes connections without a running request at a stop; Node would wait for idle connections. */
export async function listen(handler: RequestListener, where: { port: number; host: string }): Promise<Listening> {
  const server = createServer(handler)
  /** The open connections, with the answer to the last request of each. */
  const open = new Map<Socket, ServerResponse | undefined>()
  server.on('connection', (socket: Socket) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }, response) => open.set(socket, response))
  server.listen(where.port, where.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async drain() {
      const closed = once(server, 'close')
      server.close()
      for (const [socket, response] of open) {
        if (!response || response.writableFinished) socket.destroy()
        else response.once('close', () => socket.end())
      }
      await closed
    },
  }
}
