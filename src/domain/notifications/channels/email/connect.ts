import type { Socket } from 'node:net'
import { Attempt, type Reach } from '../../../../outbound/connections/attempt.ts'
import { dial } from '../../../../outbound/connections/dial.ts'
import { failureOf } from '../../../../outbound/connections/failure.ts'
import { secure, trusted } from '../../../../outbound/connections/secure.ts'
import { type MailServer, securityOf } from './server-rules.ts'

export interface Connected {
  connection: Socket
  /** Whether the connection is a TLS connection already. */
  secured: boolean
}

/** Connects to a mail server behind the guard. Rejects with a sentence. */
export async function connectTo(server: MailServer, reach: Reach, ca: string | undefined): Promise<Connected> {
  const attempt = new Attempt(reach)
  const timer = setTimeout(() => attempt.end(), reach.timeout_ms)
  try {
    const connection = await open(server, attempt, ca)
    // The library handles the errors from here on. The plain socket below a TLS connection must not be destroyed by others.
    connection.removeAllListeners('error').on('error', () => {})
    return { connection, secured: server.implicit_tls }
  } catch (problem) {
    const timedOut = attempt.signal.aborted
    attempt.end()
    throw new Error(timedOut ? attempt.timeoutEvidence() : failureOf(problem, attempt).message)
  } finally {
    clearTimeout(timer)
  }
}

async function open(server: MailServer, attempt: Attempt, ca: string | undefined): Promise<Socket> {
  const { host, port, implicit_tls } = server
  const { verified } = securityOf(server)
  if (!implicit_tls) return dial(host, port, undefined, attempt)
  const to = { host, port, ip_family: undefined, server_name: host }
  const { socket } = await (verified ? trusted : secure)(to, ca === undefined ? {} : { ca }, attempt)
  return socket
}
