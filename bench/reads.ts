import type { Child } from './support/child.ts'
import { databaseFacts } from './support/facts.ts'
import { type BenchHouse, inBenchHouse, type Say } from './support/house.ts'
import type { Figure, Report } from './support/report.ts'
import { seedIncidents, seedPage } from './support/seed.ts'

const REQUESTS = 200
const CREATIONS = 300
const NOBODY = '127.0.0.1:1'

/** How quickly a big page is read, and whether a long past makes the present slower. */
export default function reads(say: Say): Promise<Report> {
  return inBenchHouse(say, async (house) => {
    const api = await house.startApi({ TEMPORAL_ADDRESS: NOBODY })
    const empty = await creations(house, api)
    say('Seeding 1,000 items, 2,000 incidents and 20,000 updates')
    await seedPage(house.database)
    const figures = await lists(house, api)
    say('Seeding 100,000 incidents')
    await seedIncidents(house.database, 100_000)
    const full = await creations(house, api)
    return {
      how: [
        'Lists of a page with 1,000 items, 2,000 incidents and 20,000 updates, one request at a time. Each public read asks for another time, so that none is answered from a snapshot; the last line is one that is.',
        `Creation, one at a time, ${CREATIONS} each: with 100,000 incidents stored against with none, same process, same database.`,
      ],
      figures: [
        ...figures,
        {
          name: 'creation with 100,000 stored against none, p50',
          value: full.p50 / empty.p50,
          unit: '',
          target: { atMost: 1.25 },
        },
        { name: 'creation with none, p50', value: empty.p50, unit: 'ms' },
        { name: 'creation with 100,000, p50', value: full.p50, unit: 'ms' },
      ],
      facts: await databaseFacts(house.database),
    }
  })
}

async function lists(house: BenchHouse, api: Child): Promise<Figure[]> {
  const moment = (index: number) => new Date(Date.now() - index).toISOString()
  const paths: Record<string, (index: number) => string> = {
    'admin incidents, compact': () => '/admin/incidents',
    'admin incidents, full, 50': () => '/admin/incidents?view=full',
    'admin incidents, full, 100': () => '/admin/incidents?view=full&limit=100',
    'admin items, 100': () => '/admin/hierarchy/items?limit=100',
    'public incidents, compact': (index) => `/incidents?started_before=${moment(index)}`,
    'public incidents, full, 50': (index) => `/incidents?view=full&started_before=${moment(index)}`,
    'public components, all 1,000, from the snapshot': () => '/pages/public/bench/components',
  }
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(paths)) {
    const { p95 } = await timed(REQUESTS, (index) => get(house, api, path(index)))
    figures.push({ name: `${name}, p95`, value: p95, unit: 'ms', target: { under: 50 } })
  }
  return figures
}

async function get(house: BenchHouse, { ready }: Child, path: string): Promise<void> {
  const headers = path.startsWith('/admin') ? { Authorization: `Bearer ${house.token}` } : undefined
  const response = await fetch(`http://127.0.0.1:${ready.port}/api/v1${path}`, { headers })
  if (!response.ok) throw new Error(`${path} answered ${response.status}, so this measures nothing.`)
  await response.arrayBuffer()
}

function creations(house: BenchHouse, { ready }: Child) {
  const headers = { Authorization: `Bearer ${house.token}`, 'Content-Type': 'application/json' }
  return timed(CREATIONS, async (index) => {
    const body = JSON.stringify({ title: `Incident ${index}`, notify: false })
    const url = `http://127.0.0.1:${ready.port}/api/v1/admin/incidents`
    const response = await fetch(url, { method: 'POST', headers, body })
    if (response.status !== 201) throw new Error(`A creation answered ${response.status}, so this measures nothing.`)
    await response.arrayBuffer()
  })
}

/** The first tenth warms up and does not count. */
async function timed(count: number, work: (index: number) => Promise<void>): Promise<{ p50: number; p95: number }> {
  const times: number[] = []
  for (let index = -count / 10; index < count; index += 1) {
    const started = performance.now()
    await work(Math.round(index))
    if (index >= 0) times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}
