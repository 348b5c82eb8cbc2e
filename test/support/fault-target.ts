import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { makeAuthority } from '../checks/support/certificates.ts'
import { dnsServer, type Zone } from '../checks/support/dns-server.ts'

/** Targets on loopback whose answers a test sets. */

type Mood = 'well' | 'fails' | 'slow' | 'hangs' | 'resets' | 'expired'

export interface FaultTarget {
  type: string
  target: Record<string, unknown>
  /** The moods in which a check of it fails. */
  ills: Mood[]
  feel(mood: Mood): void
}

export interface FaultTargets {
  targets: FaultTarget[]
  close(): Promise<void>
}

/** Longer than any check of these tests waits. */
const SLOW_MS = 60_000

export async function openFaultTargets(): Promise<FaultTargets> {
  const authority = makeAuthority()
  const servers: { server: Server; sockets: Set<Socket> }[] = []
  const keep = async (server: Server) => {
    const sockets = new Set<Socket>()
    servers.push({ server, sockets })
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => sockets.delete(socket))
    })
    server.on('tlsClientError', () => {})
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    return (server.address() as AddressInfo).port
  }

  async function web(type: string, body: string, more: object = {}): Promise<FaultTarget> {
    let mood: Mood = 'well'
    const port = await keep(createHttp((asked, answer) => behave(mood, asked, answer, body)))
    const feel = (next: Mood) => {
      mood = next
    }
    const target = { url: `http://127.0.0.1:${port}/health`, ...more }
    return { type, target, ills: ['fails', 'slow', 'hangs', 'resets'], feel }
  }

  async function plain(): Promise<FaultTarget> {
    let mood: Mood = 'well'
    const greet = (socket: Socket) => {
      if (mood === 'resets') socket.resetAndDestroy()
      else if (mood !== 'hangs') socket.end(mood === 'well' ? '220 ready\r\n' : '421 go away\r\n')
    }
    const feel = (next: Mood) => {
      mood = next
    }
    const target = { host: '127.0.0.1', port: await keep(createServer(greet)), expect: '220' }
    return { type: 'tcp', target, ills: ['fails', 'hangs', 'resets'], feel }
  }

  async function secure(): Promise<FaultTarget> {
    const certificates = {
      well: authority.certificate('DNS:localhost,IP:127.0.0.1'),
      expired: authority.certificate('DNS:localhost,IP:127.0.0.1', '20240101000000Z', '20240201000000Z'),
    }
    const server = createTls(certificates.well)
    const target = { host: '127.0.0.1', port: await keep(server), server_name: 'localhost', ca: authority.ca }
    const feel = (mood: Mood) => server.setSecureContext(certificates[mood === 'well' ? 'well' : 'expired'])
    return { type: 'tls', target, ills: ['expired'], feel }
  }

  const zone: Zone = {}
  const names = await dnsServer(zone)
  const answers = (mood: Mood): Zone[string] =>
    mood === 'well' ? [{ type: 'A', data: '192.0.2.1' }] : mood === 'hangs' ? 'silence' : 'NXDOMAIN'
  const resolver: FaultTarget = {
    type: 'dns',
    target: { host: 'fault.test', record: 'A', expected: ['192.0.2.1'], resolver: names.address },
    ills: ['fails', 'hangs'],
    feel(mood) {
      zone['fault.test'] = answers(mood)
    },
  }
  resolver.feel('well')

  const assertions = [{ source: 'json', path: '$.status', operator: 'equals', value: 'ok' }]
  return {
    targets: [
      await web('http', 'ok'),
      await web('api', '{"status":"ok"}', { assertions }),
      await web('latency', 'ok'),
      await plain(),
      await secure(),
      resolver,
    ],
    async close() {
      names.close()
      authority.remove()
      for (const { server, sockets } of servers) {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
    },
  }
}

function behave(mood: Mood, { socket }: IncomingMessage, answer: ServerResponse, body: string): void {
  if (mood === 'well') answer.end(body)
  else if (mood === 'fails') answer.writeHead(503).end()
  else if (mood === 'resets') socket.resetAndDestroy()
  else if (mood === 'slow') setTimeout(() => answer.end(body), SLOW_MS).unref()
}
