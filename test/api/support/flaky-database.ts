import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a PostgreSQL that can be cut and mended. */
export async function flakyWay(url: string): Promise<{ url: string; cut(): void; mend(): void; close(): void }> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let open = true
  const server = createServer((socket) => {
    if (!open) {
      socket.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    for (const [a, b] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      sockets.add(a)
      a.pipe(b)
      a.on('error', () => b.destroy())
      a.on('close', () => b.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const way = new URL(url)
  way.hostname = '127.0.0.1'
  way.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    open = false
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: way.href,
    cut,
    mend: () => {
      open = true
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
