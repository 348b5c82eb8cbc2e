import { connect, type Socket } from 'node:net'
import { placeOf } from '../host-rules.ts'
import type { Attempt } from './attempt.ts'
import { addressesOf, type IpFamily } from './guard.ts'

/** At most this many addresses of a name are tried. */
const TRIED = 4
/** The shortest time for an address before the next address is tried. */
const LEAST_MS = 250

/** A TCP connection to an address that the guard allows, made for this check alone. */
export const dial = (host: string, port: number, family: IpFamily, attempt: Attempt): Promise<Socket> =>
  dialWith((to) => connect(to), host, port, family, attempt)

/**
 * The same for a TLS socket, which `open` connects itself. Wrapping a plain socket in TLS afterwards is not an option:
 * Node 24 dies of a segmentation fault when the plain socket of such a pair is destroyed.
 */
export async function dialWith<S extends Socket>(
  open: (to: { host: string; port: number; noDelay: true }) => S,
  host: string,
  port: number,
  family: IpFamily,
  attempt: Attempt,
): Promise<S> {
  const addresses = (await addressesOf(host, port, family, attempt)).slice(0, TRIED)
  attempt.doing('connecting', placeOf(host, port))
  for (const [index, address] of addresses.entries()) {
    const others = addresses.length - index - 1
    // The last address has all the remaining time; the addresses before it must not use up that time.
    const patience = others > 0 ? Math.max(LEAST_MS, attempt.left / (others + 1)) : undefined
    try {
      const socket = attempt.hold(open({ host: address, port, noDelay: true }))
      return await connected(socket, patience)
    } catch (problem) {
      if (others === 0 || attempt.signal.aborted) throw problem
    }
  }
  throw Object.assign(new Error('no address'), { code: 'ENODATA', syscall: 'query' })
}

function connected<S extends Socket>(socket: S, patience: number | undefined): Promise<S> {
  return new Promise((resolve, reject) => {
    const timer = patience && setTimeout(() => fail(Object.assign(new Error('slow'), { code: 'ETIMEDOUT' })), patience)
    const fail = (problem: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(problem)
    }
    socket.on('error', fail)
    socket.once('close', () => clearTimeout(timer))
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
  })
}
