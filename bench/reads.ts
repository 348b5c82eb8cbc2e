import { type BenchService, inBenchService, type Say } from './support/bench-service.ts'
import type { Child } from './support/child.ts'
import { compareCreations } from './support/creations.ts'
import { databaseFacts } from './support/facts.ts'
import type { Figure, Report } from './support/report.ts'
import { seedPage } from './support/seed.ts'
import { timed } from './support/timed.ts'

const REQUESTS = 200
const NO_TEMPORAL = '127.0.0.1:1'

/** How quickly a big page is read, and whether a long past makes the present slower. */
export default function reads(say: Say): Promise<Report> {
  return inBenchService(say, async (service) => {
    const api = await service.startApi({ TEMPORAL_ADDRESS: NO_TEMPORAL })
    say('Seeding 1,000 items, 2,000 incidents and 20,000 updates')
    await seedPage(service.database)
    const figures = await lists(service, api)
    await api.stop()
    const creations = await compareCreations(service, say)
    return {
      how: [
        'Lists of a page with 1,000 items, 2,000 incidents and 20,000 updates, one request at a time. Each public read asks for another time, so that none is answered from a snapshot; the components are read from one, and, after a change before each read that is not timed, made again.',
        creations.how,
      ],
      figures: [...figures, ...creations.figures],
      facts: await databaseFacts(service.database),
    }
  })
}

interface Read {
  path: (index: number) => string
  /** Makes the snapshot stale before each read: what is acknowledged already is a change that changes nothing. */
  afterChange?: boolean
}

async function lists(service: BenchService, api: Child): Promise<Figure[]> {
  const moment = (index: number) => new Date(Date.now() - index).toISOString()
  const components = '/pages/public/bench/components'
  const all: Record<string, Read> = {
    'admin incidents, compact': { path: () => '/admin/incidents' },
    'admin incidents, full, 50': { path: () => '/admin/incidents?view=full' },
    'admin incidents, full, 100': { path: () => '/admin/incidents?view=full&limit=100' },
    'admin items, 100': { path: () => '/admin/hierarchy/items?limit=100' },
    'public incidents, compact': { path: (index) => `/incidents?started_before=${moment(index)}` },
    'public incidents, full, 50': { path: (index) => `/incidents?view=full&started_before=${moment(index)}` },
    'public components, all 1,000, from the snapshot': { path: () => components },
    'public components, all 1,000, after a change': { path: () => components, afterChange: true },
  }
  const acknowledge = () => request(service, api, '/admin/incidents/1/acknowledge', { method: 'POST' })
  const figures: Figure[] = []
  for (const [name, { path, afterChange }] of Object.entries(all)) {
    const read = (index: number) => request(service, api, path(index))
    const { p95 } = await timed(REQUESTS, read, afterChange ? acknowledge : undefined)
    figures.push({ name: `${name}, p95`, value: p95, unit: 'ms', target: { under: 50 } })
  }
  return figures
}

async function request(service: BenchService, { ready }: Child, path: string, init: RequestInit = {}): Promise<void> {
  const headers = path.startsWith('/admin') ? { Authorization: `Bearer ${service.token}` } : undefined
  const response = await fetch(`http://127.0.0.1:${ready.port}/api/v1${path}`, { headers, ...init })
  if (!response.ok) throw new Error(`${path} answered ${response.status}, so this measures nothing.`)
  await response.arrayBuffer()
}
