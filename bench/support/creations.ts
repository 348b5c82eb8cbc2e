import type { BenchDatabase, BenchService, Say } from './bench-service.ts'
import type { Figure } from './report.ts'
import { seedImpacts, seedIncidents, seedItems } from './seed.ts'
import { timeOf, timesOf } from './timed.ts'

const STORED = 100_000
const CREATIONS = 300
const WARM_UP = 100
const NO_TEMPORAL = '127.0.0.1:1'

type Create = (body: object) => Promise<void>

/** Whether a long past makes the present slower: the same creations in a database with a past and in one without. */
export async function compareCreations(service: BenchService, say: Say): Promise<{ how: string; figures: Figure[] }> {
  const empty = await service.anotherDatabase('bench_empty')
  const full = await service.anotherDatabase('bench_full')
  say(`Seeding ${STORED} incidents, and none in another database`)
  for (const { database } of [empty, full]) await seedItems(database)
  await seedIncidents(full.database, STORED)
  await seedImpacts(full.database)
  const sides: [Create, Create] = [await creating(service, empty), await creating(service, full)]
  const plain = (index: number) => ({ title: `Incident ${index}`, notify: false })
  const holding = (index: number) => ({ ...plain(index), affected_items: [{ slug: `item-3-${(index % 900) + 1}` }] })
  return {
    how: `Creation on a page with 1,000 items, one at a time, ${CREATIONS} each: in a database with ${STORED} resolved incidents, each with an affected item, and in one with none, on the same server. Both are warmed up with ${WARM_UP}, then take turns, and take turns in who begins. A creation with an affected item computes the statuses of all items.`,
    figures: [
      ...(await compared('creation', sides, plain)),
      ...(await compared('creation with an affected item', sides, holding)),
    ],
  }
}

async function compared(name: string, sides: [Create, Create], bodyOf: (index: number) => object): Promise<Figure[]> {
  const times: [number[], number[]] = [[], []]
  for (let index = 0; index < WARM_UP + CREATIONS; index += 1) {
    for (const side of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const time = await timeOf(() => sides[side](bodyOf(index)))
      if (index >= WARM_UP) times[side].push(time)
    }
  }
  const [empty, full] = times.map((list) => timesOf(list).p50) as [number, number]
  return [
    { name: `${name}, 100,000 stored against none, p50`, value: full / empty, unit: '', target: { atMost: 1.25 } },
    { name: `${name} with none stored, p50`, value: empty, unit: 'ms' },
    { name: `${name} with 100,000 stored, p50`, value: full, unit: 'ms' },
  ]
}

async function creating(service: BenchService, { databaseUrl, token }: BenchDatabase): Promise<Create> {
  const { ready } = await service.startApi({ TEMPORAL_ADDRESS: NO_TEMPORAL, DATABASE_URL: databaseUrl })
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  return async (body) => {
    const url = `http://127.0.0.1:${ready.port}/api/v1/admin/incidents`
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`A creation answered ${response.status}, so this measures nothing.`)
    await response.arrayBuffer()
  }
}
