import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'

/** Real servers on loopback that record their requests and are closed together. */
export interface Target {
  port: number
  url: string
  /** The number of all connections so far. */
  made: number
  open: Set<Socket>
}

const running: { server: Server; open: Set<Socket> }[] = []

export const tcpServer = (onSocket: (socket: Socket) => void, host?: string) =>
  listening(createServer(onSocket), 'tcp', host)

export const httpServer = (listener: RequestListener, host?: string) => listening(createHttp(listener), 'http', host)

export const httpsServer = (
  options: TlsOptions,
  listener: RequestListener = (_, answer) => answer.end('ok'),
  host?: string,
) => listening(createHttps(options, listener), 'https', host)

/** A port at which nothing listens. */
export async function deadPort(): Promise<number> {
  const { port } = await tcpServer(() => {})
  const dead = running.pop()
  await new Promise((done) => dead?.server.close(done))
  return port
}

export async function closeServers(): Promise<void> {
  for (const { server, open } of running.splice(0)) {
    server.close()
    for (const socket of open) socket.destroy()
  }
}

async function listening(server: Server, scheme: string, host = '127.0.0.1'): Promise<Target> {
  const open = new Set<Socket>()
  running.push({ server, open })
  const target: Target = { port: 0, url: '', made: 0, open }
  server.on('connection', (socket) => {
    target.made++
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((ready) => server.listen(0, host, ready))
  target.port = (server.address() as AddressInfo).port
  target.url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${target.port}`
  return target
}
