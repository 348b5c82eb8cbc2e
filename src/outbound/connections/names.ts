import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** Resolves a name to its addresses of one family. Rejects with the errors of node's resolver; the signal cancels. */
export type LookUp = (name: string, family: 4 | 6, signal: AbortSignal) => Promise<string[]>

/** c-ares returns an empty list for an alias without a record, and an error for a name without a record. */
export function someOf<T>(answers: T[]): [T, ...T[]] {
  const [first, ...others] = answers
  if (first === undefined) throw noRecord()
  return [first, ...others]
}

export const noRecord = () => Object.assign(new Error('no record of this type'), { code: 'ENODATA', syscall: 'query' })

/** A query without an answer is sent again after this time; `TRIES` times, while the check lasts. */
const RESEND_MS = 2000
const TRIES = 4

/** Each check has its own resolver: no answer is cached between checks, and a check can be cancelled alone. */
export function resolverFor(signal: AbortSignal, servers?: string[]): Resolver {
  // A resolver that is created after the end of the check would never be cancelled.
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: RESEND_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  return resolver
}

export const lookUpAt =
  (servers?: string[]): LookUp =>
  async (name, family, signal) => {
    const resolver = resolverFor(signal, servers)
    return family === 4 ? await resolver.resolve4(name) : await resolver.resolve6(name)
  }

/**
 * Resolves a name with the hosts file and the search domains of this machine. Does not use getaddrinfo, which blocks one of
 * the few threads of the process: two names without an answer would delay all other checks.
 */
export const lookUpAsThisMachine: LookUp = async (name, family, signal) => {
  const bare = name.replace(/\.$/, '').toLowerCase()
  if (/(^|\.)localhost$/.test(bare)) return [family === 4 ? '127.0.0.1' : '::1']
  const own = ownAddresses(await hostsFile(), bare, family)
  if (own) return own
  const domains = name.endsWith('.') ? [] : searchDomainsIn(await resolverFile())
  return searching(lookUpAt(), bare, domains, family, signal)
}

/** Null if the hosts file does not contain the name. Otherwise the name has the addresses of the hosts file only. */
export function ownAddresses(hosts: string, name: string, family: 4 | 6): string[] | null {
  const known = addressesIn(hosts, name).filter((address) => isIP(address) !== 0)
  return known.length === 0 ? null : someOf(known.filter((address) => isIP(address) === family))
}

/**
 * Resolves the name without a search domain first. The search domains are tried only for a name that does not exist. If the
 * name exists in a search domain without an address of this family, the error is `noRecord`: the caller may try the other.
 */
export async function searching(
  lookUp: LookUp,
  name: string,
  domains: string[],
  family: 4 | 6,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    return await lookUp(name, family, signal)
  } catch (problem) {
    if (codeOf(problem) !== 'ENOTFOUND') throw problem
    let exists = false
    for (const domain of domains) {
      try {
        return someOf(await lookUp(`${name}.${domain}`, family, signal))
      } catch (other) {
        exists ||= codeOf(other) === 'ENODATA'
      }
    }
    throw exists ? noRecord() : problem
  }
}

const codeOf = (problem: unknown) => (problem as { code?: string }).code

export function addressesIn(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return names.includes(name) ? [address] : []
  })
}

export function searchDomainsIn(resolvConf: string): string[] {
  const listed = [...resolvConf.matchAll(/^\s*(?:search|domain)\s+(.+)$/gm)].at(-1)?.[1] ?? ''
  return listed
    .split(/\s+/)
    .filter((domain) => /^[\w-][\w.-]*$/.test(domain))
    .slice(0, 6)
}

const hostsFile = cachedFile('/etc/hosts')
const resolverFile = cachedFile('/etc/resolv.conf')

/** Reads the file again every few seconds: thousands of checks need the file, which rarely changes. */
function cachedFile(path: string): () => Promise<string> {
  let text = Promise.resolve('')
  let until = 0
  return () => {
    if (performance.now() < until) return text
    until = performance.now() + 5000
    text = readFile(path, 'utf8').catch(() => '')
    return text
  }
}
