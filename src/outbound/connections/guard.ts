import { notPublic } from '../address-rules.ts'
import { ownPortRefusal, placeOf, readHost } from '../host-rules.ts'
import type { Attempt } from './attempt.ts'
import { Failure } from './failure.ts'
import { someOf } from './names.ts'

export type IpFamily = 'ipv4' | 'ipv6' | undefined
/** Undefined for a check that connects to no port, such as a ping. */
type Port = number | undefined
type Addresses = [string, ...string[]]

/**
 * The addresses of a host, at least one and all of them allowed. A check connects to these addresses and never to the name:
 * a second look-up could give another answer than the one that was verified.
 */
export async function addressesOf(host: string, port: Port, family: IpFamily, attempt: Attempt): Promise<Addresses> {
  const read = readHost(host)
  if (!read) throw new Failure(`${host} is neither a host name nor an IP address`)
  if ('name' in read) attempt.doing('looking up its name', read.name)
  const addresses: Addresses = 'name' in read ? await lookUp(read.name, family, attempt) : [read.address]
  if ('address' in read && family && family !== `ipv${read.family}`) {
    throw new Failure(`${read.address} is not an address of ${family === 'ipv4' ? 'IPv4' : 'IPv6'}`)
  }
  for (const address of attempt.guard === 'public' ? addresses : []) {
    const reason = notPublic(address)
    if (!reason) continue
    throw refusal(
      `${'name' in read ? `${host} resolves to` : `${host} is`} ${reason}; only public addresses may be reached here`,
      attempt,
    )
  }
  if (port !== undefined && ['name' in read ? read.name : read.address, ...addresses].some(isOwn(port, attempt))) {
    throw refusal(ownPortRefusal(placeOf(host, port)), attempt)
  }
  return addresses
}

const isOwn =
  (port: number, { ownPorts }: Attempt) =>
  (host: string) =>
    ownPorts.includes(host, port)

/** A redirect of the target to a forbidden address is a failure of the target. */
export const refusal = (evidence: string, { redirected }: Attempt) =>
  new Failure(evidence, redirected ? {} : { refused: true })

/** Without a family, IPv4 if the name has an IPv4 address: the checked address must not depend on the faster answer. */
async function lookUp(name: string, family: IpFamily, attempt: Attempt): Promise<Addresses> {
  const ask = async (version: 4 | 6) => someOf(await attempt.lookUp(name, version, attempt.signal))
  if (family) return ask(family === 'ipv4' ? 4 : 6)
  try {
    return await ask(4)
  } catch (problem) {
    if ((problem as { code?: string }).code !== 'ENODATA') throw problem
    return ask(6)
  }
}
