import type { Resolver } from 'node:dns/promises'
import { type DnsTarget, NO_PUBLIC_RESOLVER, type recordTypes } from '../../src/domain/beats/types/dns.ts'
import { cut } from '../../src/domain/kernel/text-rules.ts'
import { arpaOf } from '../../src/outbound/address-rules.ts'
import type { Attempt } from '../../src/outbound/connections/attempt.ts'
import { addressesOf, refusal } from '../../src/outbound/connections/guard.ts'
import { noRecord, resolverFor, someOf } from '../../src/outbound/connections/names.ts'
import { placeOf, readHost, readPlace } from '../../src/outbound/host-rules.ts'
import { check } from './check.ts'

type RecordType = (typeof recordTypes)[number]

/** Succeeds if the name has a record and the answers contain all expected answers. */
export const dns = check<DnsTarget>(async (target, attempt) => {
  const { record = 'A' } = target
  const servers = await serversOf(target, attempt)
  const read = readHost(target.host)
  const name = read && 'address' in read ? arpaOf(read.address) : target.host
  attempt.doing(`querying the ${record} record`, target.host)
  const answers = someOf(await readers[record](resolverFor(attempt.signal, servers), name))
  const latency_ms = attempt.elapsed
  const missing = [target.expected ?? []].flat().filter((wanted) => !answers.some(isSame(wanted, record)))
  const given = listed(answers)
  const evidence =
    missing.length > 0
      ? `The ${record} record of ${target.host} is ${given}, expected ${listed(missing)}`
      : `The ${record} record of ${target.host} is ${given}, answered after ${latency_ms} ms`
  return { ok: missing.length === 0, latency_ms, evidence }
})

async function serversOf({ host, resolver, ip_family }: DnsTarget, attempt: Attempt): Promise<string[] | undefined> {
  if (resolver === undefined && attempt.guard === 'public') {
    throw refusal(`${host} was not looked up: ${NO_PUBLIC_RESOLVER}`, attempt)
  }
  const place = resolver === undefined ? null : readPlace(resolver, 53)
  if (!place) return undefined
  const addresses = await addressesOf(place.host, place.port, ip_family, attempt)
  return addresses.map((address) => placeOf(address, place.port))
}

const caaTags = ['issue', 'issuewild', 'iodef', 'contactemail', 'contactphone'] as const

/** Each answer as a zone file writes the record. */
const readers: Record<RecordType, (from: Resolver, name: string) => Promise<string[]>> = {
  A: (from, name) => from.resolve4(name),
  AAAA: (from, name) => from.resolve6(name),
  // If the answer has other records only, c-ares returns the name as an alias of itself.
  CNAME: async (from, name) => (await from.resolveCname(name)).filter((alias) => !isSame(name, 'CNAME')(alias)),
  NS: (from, name) => from.resolveNs(name),
  PTR: (from, name) => from.resolvePtr(name),
  MX: async (from, name) => (await from.resolveMx(name)).map((mx) => `${mx.priority} ${mx.exchange}`),
  TXT: async (from, name) => (await from.resolveTxt(name)).map((parts) => parts.join('')),
  SRV: async (from, name) =>
    (await from.resolveSrv(name)).map((srv) => `${srv.priority} ${srv.weight} ${srv.port} ${srv.name}`),
  SOA: async (from, name) => {
    const soa = await from.resolveSoa(name).catch((problem) => asMissing(problem, from, name))
    const times = [soa.serial, soa.refresh, soa.retry, soa.expire, soa.minttl]
    return [`${soa.nsname} ${soa.hostmaster} ${times.join(' ')}`]
  },
  CAA: async (from, name) =>
    (await from.resolveCaa(name)).map((caa) => {
      const tag = caaTags.find((known) => caa[known] !== undefined) ?? 'unknown'
      return `${caa.critical} ${tag} ${tag === 'unknown' ? '' : caa[tag]}`
    }),
}

/** c-ares reports an answer without the SOA record as malformed. If a CNAME query succeeds, the record is missing. */
async function asMissing(problem: { code?: string }, from: Resolver, name: string): Promise<never> {
  if (problem.code !== 'EBADRESP') throw problem
  const readable = await from.resolveCname(name).catch(() => null)
  throw readable ? noRecord() : problem
}

/** Compares names without case and without a dot at the end, IPv6 addresses in any spelling, and texts exactly. */
function isSame(wanted: string, record: RecordType): (answer: string) => boolean {
  const plain = (text: string) => {
    if (record === 'TXT') return text.replace(/^"(.*)"$/, '$1')
    const host = record === 'AAAA' ? readHost(text) : null
    return host && 'address' in host
      ? host.address
      : text
          .toLowerCase()
          .replaceAll('"', '')
          .replace(/\.(?=\s|$)/g, '')
  }
  const expected = plain(wanted)
  return (answer) => plain(answer) === expected
}

function listed(texts: string[]): string {
  const some = texts.slice(0, 3).map((text) => (text.length > 80 ? `${cut(text, 79)}…` : text))
  return some.join(', ') + (texts.length > 3 ? ` and ${texts.length - 3} more` : '')
}
