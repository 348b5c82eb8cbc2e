import type { Transporter } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool'
import type { Reach } from '../../../../outbound/connections/attempt.ts'
import { inPageTransaction } from '../../../../persistence/transactions.ts'
import { settingSecret } from '../../../settings/secrets.ts'
import type { SenderServices } from '../channel.ts'
import { connectTo } from './connect.ts'
import { type MailServer, securityOf } from './server-rules.ts'

/** For tests: authorities and names that this machine does not know, and a shorter patience. */
export interface SenderOptions {
  ca?: string
  look_up?: Reach['look_up']
  /** Instead of 465. */
  tls_port?: number
  timeout_ms?: number
  idle_ms?: number
}

const TIMEOUT_MS = 15_000
/** The sender gives up an attempt; the end of its connection comes later, so that the answer does not depend on which is first. */
const LATER_MS = 1000
const IDLE_MS = 30_000
/** Of one page to its server. */
const MOST_CONNECTIONS = 10

export interface Transport {
  pool: Transporter<SMTPPool.SentMessageInfo>
  password: string
}

/** Connections to the mail servers of pages, which stay open for the next mails for a while. */
export interface Transports {
  timeout_ms: number
  of(pageId: number, server: MailServer): Promise<Transport>
  close(): void
}

export function openTransports(services: SenderServices, options: SenderOptions): Transports {
  const timeout_ms = options.timeout_ms ?? TIMEOUT_MS
  const current = new Map<number, { key: string; transport: Promise<Transport> }>()
  const pools = new Set<Transport['pool']>()

  async function open(pageId: number, server: MailServer): Promise<Transport> {
    const password = await passwordOf(services, pageId, server)
    // Loaded with the first mail: it takes 5 MB in each process.
    const { createTransport } = await import('nodemailer')
    const pool = createTransport(poolOptions(services, { server, password, timeout_ms, options }))
    // All connections were idle for a while and are closed. Mails that are sent later open new ones.
    pool.on('clear', () => pools.delete(pool))
    return { pool, password }
  }

  return {
    timeout_ms,
    async of(pageId, server) {
      const key = JSON.stringify(server)
      const known = current.get(pageId)
      // The connections of previous settings finish their mails and are closed when they are idle.
      const { transport } = known?.key === key ? known : { transport: open(pageId, server) }
      current.set(pageId, { key, transport })
      try {
        const opened = await transport
        pools.add(opened.pool)
        return opened
      } catch (problem) {
        current.delete(pageId)
        throw problem
      }
    },
    close() {
      for (const pool of pools) (pool.close as (options: { force: boolean }) => void).call(pool, { force: true })
      pools.clear()
      current.clear()
    },
  }
}

async function passwordOf({ app, keyring }: SenderServices, pageId: number, server: MailServer): Promise<string> {
  if (server.password_mark === '') return ''
  const found = await inPageTransaction(app, pageId, (tx) => settingSecret(tx, keyring, 'email_smtp_password'))
  return found ?? ''
}

interface PoolFacts {
  server: MailServer
  password: string
  timeout_ms: number
  options: SenderOptions
}

function poolOptions(services: SenderServices, { server, password, timeout_ms, options }: PoolFacts): SMTPPool.Options {
  const { host, port, implicit_tls, username } = server
  const { required, verified } = securityOf(server)
  const { ca, look_up, idle_ms = IDLE_MS } = options
  const connection_ms = timeout_ms + LATER_MS
  const reach: Reach = {
    ...{ timeout_ms: connection_ms, guard: services.beatTargets, own_ports: services.ownPorts },
    ...(look_up ? { look_up } : {}),
  }
  return {
    pool: true,
    host,
    port,
    secure: implicit_tls,
    requireTLS: required && !implicit_tls,
    ...(username === '' ? {} : { auth: { user: username, pass: password }, forceAuth: true }),
    tls: { rejectUnauthorized: verified, ...(ca === undefined ? {} : { ca }) },
    maxConnections: MOST_CONNECTIONS,
    maxRequeues: 1,
    idleTimeout: idle_ms,
    connectionTimeout: connection_ms,
    greetingTimeout: connection_ms,
    socketTimeout: connection_ms,
    socketCloseTimeout: 1000,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: unknown, done: (problem: Error | null, socket?: unknown) => void) => {
      connectTo(server, reach, ca).then(
        (connected) => done(null, connected),
        (problem: Error) => done(problem),
      )
    },
  } as SMTPPool.Options
}
