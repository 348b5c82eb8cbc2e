import type { Socket } from 'node:net'
import type { TcpTarget } from '../../src/domain/beats/types/tcp.ts'
import type { Attempt } from '../../src/outbound/connections/attempt.ts'
import { dial } from '../../src/outbound/connections/dial.ts'
import { Failure } from '../../src/outbound/connections/failure.ts'
import { placeOf } from '../../src/outbound/host-rules.ts'
import { check } from './check.ts'
import { byteFinder } from './find-bytes.ts'

const MAX_READ = 256 * 1024

/** Succeeds if the port accepts a connection and sends the expected text. */
export const tcp = check<TcpTarget>(async ({ host, port, ip_family, send, expect }, attempt) => {
  const socket = await dial(host, port, ip_family, attempt)
  if (expect !== undefined) await receive(socket, send, Buffer.from(expect), attempt)
  else if (send !== undefined) await transmit(socket, send, attempt)
  const latency_ms = attempt.elapsed
  const what = expect === undefined ? 'accepted the connection' : 'answered as expected'
  return { ok: true, latency_ms, evidence: `${placeOf(host, port)} ${what} in ${latency_ms} ms` }
})

function transmit(socket: Socket, send: string, attempt: Attempt): Promise<void> {
  attempt.doing('sending')
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.write(send, (problem) => (problem ? reject(problem) : resolve()))
  })
}

function receive(socket: Socket, send: string | undefined, wanted: Buffer, attempt: Attempt): Promise<void> {
  attempt.doing('waiting for the expected answer')
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Failure(`${attempt.where} ${what}`))
    const find = byteFinder(wanted)
    let read = 0
    socket.on('data', (chunk) => {
      if (find(chunk)) return resolve()
      read += chunk.length
      if (read > MAX_READ) fail('sent more than 256 KiB without the expected text')
    })
    socket.once('error', reject)
    socket.once('end', () =>
      fail(
        read === 0
          ? 'closed the connection without sending data'
          : 'closed the connection without sending the expected text',
      ),
    )
    if (send !== undefined) socket.write(send)
  })
}
