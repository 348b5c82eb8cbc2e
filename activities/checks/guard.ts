import { notPublic } from '../../src/domain/beats/address-rules.ts'
import { readHost } from '../../src/domain/beats/host-rules.ts'
import type { Attempt } from './attempt.ts'
import { Failure } from './evidence.ts'

export type IpFamily = 'ipv4' | 'ipv6' | undefined

/**
 * The addresses behind a host, all of them allowed. Whoever connects, connects to these and never to the name: between
 * a look-up that was checked and a second one, the answer could change.
 */
export async function addressesOf(host: string, family: IpFamily, attempt: Attempt): Promise<string[]> {
  const read = readHost(host)
  if (!read) throw new Failure(`${host} is neither a host name nor an IP address`)
  if ('name' in read) attempt.doing('looking up its name', read.name)
  const addresses = 'name' in read ? await lookUp(read.name, family, attempt) : [read.address]
  if ('address' in read && family && family !== `ipv${read.family}`) {
    throw new Failure(`${read.address} is not an address of ${family === 'ipv4' ? 'IPv4' : 'IPv6'}`)
  }
  for (const address of attempt.guard === 'public' ? addresses : []) {
    const reason = notPublic(address)
    if (!reason) continue
    const evidence = `${said(host, address)} is ${reason}; only public addresses may be checked here`
    // Where the target itself sends us there, that is how it is.
    throw new Failure(evidence, attempt.redirected ? {} : { refused: true })
  }
  return addresses
}

/** Without a family, IPv4 where the name has it: what is checked must not depend on which answer came first. */
async function lookUp(name: string, family: IpFamily, attempt: Attempt): Promise<string[]> {
  if (family) return attempt.lookUp(name, family === 'ipv4' ? 4 : 6, attempt.signal)
  try {
    return await attempt.lookUp(name, 4, attempt.signal)
  } catch (problem) {
    if ((problem as { code?: string }).code !== 'ENODATA') throw problem
    return attempt.lookUp(name, 6, attempt.signal)
  }
}

function said(host: string, address: string): string {
  return host === address ? host : `${host} leads to ${address}, which`
}
