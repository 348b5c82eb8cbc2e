import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { OwnPorts } from '../domain/kernel/services.ts'
import { isSelf, plainAddress } from './address-rules.ts'
import { readHost, readPlace } from './host-rules.ts'
import { listeningPorts } from './listening-ports.ts'

interface Place {
  host: string
  port: number
}

interface Configured {
  DATABASE_URL: string
  TEMPORAL_ADDRESS?: string | undefined
  OWN_ADDRESSES?: Place[]
  DATA_DIR?: string
}

const TEMPORAL_PORT = 7233
/** Where a Temporal server answers HTTP unless its configuration says otherwise. */
const TEMPORAL_HTTP_PORT = 7243
const POSTGRES_PORT = 5432
const REFRESH_MS = 30_000
const INTERFACES_MS = 5000
/** A restarted process takes other ports. */
const PROCESS_PORTS_MS = 1000

/**
 * The ports that no check may connect to, from the configuration and from the files of the processes in DATA_DIR. Names are
 * resolved with the resolver of the service's own connections; the addresses are refreshed in the background, so that no
 * check waits for them.
 */
export async function openOwnPorts(config: Configured): Promise<OwnPorts> {
  const places = configuredPlaces(config)
  const hosts = new Set(places.map(({ host }) => host))
  const addresses = new Map<string, string[]>()
  let refreshedAt = performance.now()

  async function refresh(): Promise<void> {
    refreshedAt = performance.now()
    await Promise.all(
      [...hosts].map(async (host) => {
        const found = await addressesOf(host)
        // A name that cannot be resolved now keeps its last addresses.
        if (found.length > 0) addresses.set(host, found)
      }),
    )
  }

  const localAddresses = cached(INTERFACES_MS, () => {
    const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    return new Set(all.map(({ address }) => plainAddress(address.replace(/%.*/, ''))))
  })
  const portsOfTemporal = openedOnce()
  const processPorts = cached(PROCESS_PORTS_MS, () => portsOfProcesses(config.DATA_DIR, portsOfTemporal))
  const isLocal = (address: string) => isSelf(address) || localAddresses().has(address)

  await refresh()
  return {
    includes(written, port) {
      if (performance.now() - refreshedAt > REFRESH_MS) void refresh()
      const name = written.toLowerCase().replace(/\.$/, '')
      const address = /(^|\.)localhost$/.test(name) ? '127.0.0.1' : plainAddress(name)
      const local = isLocal(address)
      return (
        places.some(
          (place) =>
            place.port === port &&
            (place.host === name ||
              addresses.get(place.host)?.some((own) => own === address || (local && isLocal(own)))),
        ) ||
        (local && processPorts().includes(port))
      )
    },
  }
}

function configuredPlaces({ DATABASE_URL, TEMPORAL_ADDRESS, OWN_ADDRESSES = [] }: Configured): Place[] {
  const temporal = readPlace(TEMPORAL_ADDRESS ?? '', TEMPORAL_PORT)
  const found = [
    ...databasePlaces(DATABASE_URL),
    ...(temporal ? [temporal, { host: temporal.host, port: TEMPORAL_HTTP_PORT }] : []),
    ...OWN_ADDRESSES,
  ]
  return found.map(({ host, port }) => ({ host: canonicalHost(host), port }))
}

/** Empty for a host without a TCP port, such as the directory of a Unix socket: no check could connect to it. */
function databasePlaces(url: string): Place[] {
  const { hostname, port, searchParams } = new URL(url)
  const host = decodeURIComponent(searchParams.get('host') ?? hostname)
  return readHost(host) ? [{ host, port: Number(searchParams.get('port') ?? port) || POSTGRES_PORT }] : []
}

function canonicalHost(host: string): string {
  const read = readHost(host)
  if (!read) return host
  return 'address' in read ? plainAddress(read.address) : read.name.replace(/\.$/, '')
}

async function addressesOf(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.map(({ address }) => plainAddress(address))
}

/**
 * The API and the workers take free ports for their metrics; each process writes its own port into DATA_DIR. Temporal takes
 * further free ports for its services, which only the system knows.
 */
function portsOfProcesses(dataDir: string | undefined, portsOf: (pid: number) => number[]): number[] {
  if (dataDir === undefined) return []
  const read = (file: string) => {
    try {
      return JSON.parse(readFileSync(join(dataDir, file), 'utf8'))
    } catch {
      return {}
    }
  }
  const metrics = ['api.json', 'worker.json'].map((file) => Number(read(file).metrics_port))
  return [...metrics, ...portsOf(Number(read('temporal/temporal.json').pid))]
}

/** The ports of the last process that was asked for: it opens them at its start, and the system lists all connections with them. */
function openedOnce(): (pid: number) => number[] {
  let known: { pid: number; ports: number[] } = { pid: 0, ports: [] }
  return (pid) => {
    if (pid !== known.pid || known.ports.length === 0) known = { pid, ports: listeningPorts(pid) }
    return known.ports
  }
}

function cached<T>(ms: number, read: () => T): () => T {
  let last: { value: T; until: number } | undefined
  return () => {
    if (!last || performance.now() >= last.until) last = { value: read(), until: performance.now() + ms }
    return last.value
  }
}
