import { notPublic } from '../../src/domain/beats/address-rules.ts'
import { readHost } from '../../src/domain/beats/host-rules.ts'
import type { Attempt } from './attempt.ts'
import { Failure } from './evidence.ts'
import { someOf } from './names.ts'

export type IpFamily = 'ipv4' | 'ipv6' | undefined
type Some = [string, ...string[]]

/**
 * The addresses behind a host, at least one and all of them allowed. Whoever connects, connects to these and never to
 * the name: between a look-up that was checked and a second one, the answer could change.
 */
export async function addressesOf(host: string, family: IpFamily, attempt: Attempt): Promise<Some> {
  const read = readHost(host)
  if (!read) throw new Failure(`${host} is neither a host name nor an IP address`)
  if ('name' in read) attempt.doing('looking up its name', read.name)
  const addresses: Some = 'name' in read ? await lookUp(read.name, family, attempt) : [read.address]
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
async function lookUp(name: string, family: IpFamily, attempt: Attempt): Promise<Some> {
  const ask = async (version: 4 | 6) => someOf(await attempt.lookUp(name, version, attempt.signal))
  if (family) return ask(family === 'ipv4' ? 4 : 6)
  try {
    return await ask(4)
  } catch (problem) {
    if ((problem as { code?: string }).code !== 'ENODATA') throw problem
    return ask(6)
  }
}

function said(host: string, address: string): string {
  return host === address ? host : `${host} leads to ${address}, which`
}
