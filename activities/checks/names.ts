import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** The addresses of a name, of one family. Rejects as node's resolver does; the signal ends it. */
export type LookUp = (name: string, family: 4 | 6, signal: AbortSignal) => Promise<string[]>

/** An alias that leads to nothing is an empty list to c-ares, while a name that has nothing itself is an error. */
export function someOf<T>(answers: T[]): [T, ...T[]] {
  const [first, ...others] = answers
  if (first === undefined) throw noRecord()
  return [first, ...others]
}

export const noRecord = () => Object.assign(new Error('no record of this type'), { code: 'ENODATA', syscall: 'query' })

/** Without an answer for this long, a question is put again; `TRIES` times, as long as the check still lasts. */
const RESEND_MS = 2000
const TRIES = 4

/** A resolver of its own for each check: nothing is remembered between checks, and one can be cancelled alone. */
export function resolverFor(signal: AbortSignal, servers?: string[]): Resolver {
  // After the end it would go on asking, because nobody would cancel it.
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
 * As the rest of the machine looks names up, with its hosts file and its search domains. Not by getaddrinfo: that waits
 * on one of the few threads of the process, and two names that hang would hold up the checks of all others.
 */
export const lookUpAsThisMachine: LookUp = async (name, family, signal) => {
  const bare = name.replace(/\.$/, '').toLowerCase()
  if (/(^|\.)localhost$/.test(bare)) return [family === 4 ? '127.0.0.1' : '::1']
  const own = ownAddresses(await hostsFile(), bare, family)
  if (own) return own
  const domains = name.endsWith('.') ? [] : searchDomainsIn(await resolverFile())
  return searching(lookUpAt(), bare, domains, family, signal)
}

/** Null where the hosts file does not know the name. What it knows has no other addresses than those. */
export function ownAddresses(hosts: string, name: string, family: 4 | 6): string[] | null {
  const known = addressesIn(hosts, name).filter((address) => isIP(address) !== 0)
  return known.length === 0 ? null : someOf(known.filter((address) => isIP(address) === family))
}

/**
 * A name is taken as it stands first, and only one that does not exist is looked for in the domains. One that exists
 * there without such a record has no such record: it may be asked for the other family.
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
  const said = [...resolvConf.matchAll(/^\s*(?:search|domain)\s+(.+)$/gm)].at(-1)?.[1] ?? ''
  return said
    .split(/\s+/)
    .filter((domain) => /^[\w-][\w.-]*$/.test(domain))
    .slice(0, 6)
}

const hostsFile = remembered('/etc/hosts')
const resolverFile = remembered('/etc/resolv.conf')

/** Read again every few seconds: thousands of checks ask, and both files change seldom. */
function remembered(path: string): () => Promise<string> {
  let text = Promise.resolve('')
  let until = 0
  return () => {
    if (performance.now() < until) return text
    until = performance.now() + 5000
    text = readFile(path, 'utf8').catch(() => '')
    return text
  }
}
