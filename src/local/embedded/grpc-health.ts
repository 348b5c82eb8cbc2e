import { type ClientHttp2Session, connect } from 'node:http2'
import { reasonOf } from './errors.ts'

const PATIENCE_MS = 3000
const SERVING = 1

/**
 * Checks the health of a service of a gRPC server: undefined if healthy, else the reason. Written without a gRPC library,
 * which would stay in memory as long as this process.
 */
export async function unhealthy(address: string, service: string): Promise<string | undefined> {
  const session = connect(`http://${address}`)
  try {
    const status = await Promise.race([statusOf(session, service), failureOf(session)])
    return status === SERVING ? undefined : `the health of the server is ${status}`
  } catch (error) {
    return reasonOf(error)
  } finally {
    session.destroy()
  }
}

/** Without a listener, a session that fails would end this process. */
function failureOf(session: ClientHttp2Session): Promise<never> {
  return new Promise((_, reject) => {
    session.on('error', reject)
    setTimeout(() => reject(new Error('the server does not answer')), PATIENCE_MS).unref()
  })
}

function statusOf(session: ClientHttp2Session, service: string): Promise<number | string> {
  return new Promise((resolve, reject) => {
    const request = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    const chunks: Buffer[] = []
    request.on('error', reject)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('trailers', (trailers) => {
      if (trailers['grpc-status'] !== '0')
        reject(new Error(String(trailers['grpc-message'] || trailers['grpc-status'])))
    })
    request.on('end', () => resolve(statusIn(Buffer.concat(chunks))))
    request.end(requestFor(service))
  })
}

/** A frame (not compressed, four bytes of length) around the message, whose field 1 is the name of the service. */
function requestFor(service: string): Buffer {
  const name = Buffer.from(service)
  const frame = Buffer.alloc(7)
  frame.writeUInt32BE(name.length + 2, 1)
  frame[5] = 0x0a
  frame[6] = name.length
  return Buffer.concat([frame, name])
}

/** Field 1 of the message in the frame is the status, and it is absent where it is 0. */
const statusIn = (answer: Buffer): number | string =>
  answer.length < 5 ? 'unknown' : answer[5] === 0x08 ? answer[6]! : 0
