import type { Socket } from 'node:net'
import type { TcpTarget } from '../../src/domain/beats/types/tcp.ts'
import { placeOf } from '../../src/outbound/host-rules.ts'
import type { Attempt } from './attempt.ts'
import { check } from './check.ts'
import { dial } from './dial.ts'
import { Failure } from './evidence.ts'
import { byteFinder } from './find-bytes.ts'

const MAX_READ = 256 * 1024

/** A port accepts a connection, and says what is expected of it. */
export const tcp = check<TcpTarget>(async ({ host, port, ip_family, send, expect }, attempt) => {
  const socket = await dial(host, port, ip_family, attempt)
  if (expect !== undefined) await hear(socket, send, Buffer.from(expect), attempt)
  else if (send !== undefined) await tell(socket, send, attempt)
  const latency_ms = attempt.elapsed
  const what = expect === undefined ? 'accepted the connection' : 'answered as expected'
  return { ok: true, latency_ms, evidence: `${placeOf(host, port)} ${what} in ${latency_ms} ms` }
})

function tell(socket: Socket, send: string, attempt: Attempt): Promise<void> {
  attempt.doing('sending')
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.write(send, (problem) => (problem ? reject(problem) : resolve()))
  })
}

function hear(socket: Socket, send: string | undefined, wanted: Buffer, attempt: Attempt): Promise<void> {
  attempt.doing('waiting for the expected answer')
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Failure(`${attempt.where} ${what}`))
    const find = byteFinder(wanted)
    let read = 0
    socket.on('data', (chunk) => {
      if (find(chunk)) return resolve()
      read += chunk.length
      if (read > MAX_READ) fail('said much, but not what was expected')
    })
    socket.once('error', reject)
    socket.once('end', () => fail(read === 0 ? 'closed the connection silently' : 'did not say what was expected'))
    if (send !== undefined) socket.write(send)
  })
}
