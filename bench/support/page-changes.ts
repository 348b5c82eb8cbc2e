import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchService, Say } from './bench-service.ts'
import type { Child } from './child.ts'
import { memoryOf } from './memory-of.ts'
import type { Figure } from './report.ts'
import type { StreamAnswer, StreamQuestion } from './stream-client.ts'

const CHANGES = 100
const WARMING_CHANGES = 10
const STREAMS = 100
const MANY_STREAMS = 10_000
const CHANGES_OF_MANY = 10
const PAUSE_MS = 200
const LONGEST_MS = 10_000
const CHANGES_OF_HOME = 50
const SUMMARY = '/api/v1/pages/public/bench/summary'
const STREAM = '/api/v1/pages/public/bench/stream'

const now = () => performance.timeOrigin + performance.now()

/** How soon a change of a page reaches a poller and streams, and what ten thousand streams cost. */
export async function measureChanges(
  service: BenchService,
  api: Child,
  say: Say,
): Promise<{ how: string; figures: Figure[] }> {
  const change = changer(service, api)
  say(`${CHANGES} changes reach a poller and ${STREAMS} streams`)
  const few = await openStreams(service, api, STREAMS)
  const polled: number[] = []
  const streamed: number[] = []
  for (let n = -WARMING_CHANGES; n < CHANGES; n += 1) {
    const before = await few.version()
    const poller = poll(api, SUMMARY)
    const since = await change()
    const seenAfter = (await poller) - since
    const times = await few.timesSince(since, before)
    if (n >= 0) {
      polled.push(seenAfter)
      streamed.push(...times)
    }
    await sleep(PAUSE_MS)
  }
  const lostByFew = CHANGES * STREAMS - streamed.length
  await few.client.stop()
  say(`${CHANGES_OF_HOME} changes reach a poller of the home page`)
  const home = await timesOfHome(api, change)
  await sleep(1000)
  say(`${MANY_STREAMS} streams`)
  const empty = memoryOf(api.pid).megabytes
  const many = await openStreams(service, api, MANY_STREAMS)
  await sleep(5000)
  const full = memoryOf(api.pid).megabytes
  const slow: number[] = []
  for (let n = 0; n < CHANGES_OF_MANY; n += 1) {
    const before = await many.version()
    slow.push(...(await many.timesSince(await change(), before)))
    await sleep(PAUSE_MS)
  }
  const lost = lostByFew + CHANGES_OF_MANY * MANY_STREAMS - slow.length
  await many.client.stop()
  return {
    how: `${CHANGES} changes of the title of an incident, from the answer to the change: until a client that polls the summary without a pause, with \`If-None-Match\`, has the new summary, and until each of ${STREAMS} streams has its event. Then ${CHANGES_OF_HOME} changes for a poller of the home page. Then ${MANY_STREAMS} streams are connected from a client in its own process, and ${CHANGES_OF_MANY} changes follow; a change is lost if a stream has no event of it within ${LONGEST_MS / 1000} s.`,
    figures: [
      { name: 'a change reaches a poller, p50', value: quantile(polled, 0.5), unit: 'ms' },
      { name: 'a change reaches a poller, p99', value: quantile(polled, 0.99), unit: 'ms' },
      { name: 'a change reaches a poller of the home page, p50', value: quantile(home, 0.5), unit: 'ms' },
      { name: 'a change reaches a poller of the home page, p99', value: quantile(home, 0.99), unit: 'ms' },
      { name: `a change reaches ${STREAMS} streams, p50`, value: quantile(streamed, 0.5), unit: 'ms' },
      { name: `a change reaches ${STREAMS} streams, p99`, value: quantile(streamed, 0.99), unit: 'ms' },
      { name: 'connected streams', value: many.opened, unit: '', target: { atLeast: MANY_STREAMS } },
      { name: 'memory of a stream', value: ((full - empty) * 1000) / MANY_STREAMS, unit: 'kB' },
      { name: `a change reaches ${MANY_STREAMS} streams, p99`, value: quantile(slow, 0.99), unit: 'ms' },
      { name: 'lost changes', value: lost, unit: '', target: { atMost: 0 } },
    ],
  }
}

async function openStreams(service: BenchService, api: Child, count: number) {
  const client = await service.start(new URL('./stream-client.ts', import.meta.url))
  const ask = (question: StreamQuestion) => client.ask<StreamAnswer>(question)
  const { opened = 0 } = await ask({ open: count, port: Number(api.ready.port), path: STREAM })
  return {
    client,
    opened,
    /** The version of all streams, when they have the same one. */
    async version(): Promise<string> {
      for (const until = now() + LONGEST_MS; ; await sleep(20)) {
        const { versions = [] } = await ask({ versions: true })
        if (versions.length === 1) return versions[0]![0]
        if (now() > until) throw new Error(`The streams have different versions: ${JSON.stringify(versions)}`)
      }
    },
    timesSince: async (since: number, before: string) =>
      (await ask({ since, before, longestMs: LONGEST_MS })).times ?? [],
  }
}

/** Changes the title of an incident; the moment of the answer. */
function changer(service: BenchService, { ready }: Child): () => Promise<number> {
  let count = 0
  return async () => {
    count += 1
    const response = await fetch(`http://127.0.0.1:${ready.port}/api/v1/admin/incidents/1`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: `Changed ${count}` }),
    })
    const at = now()
    if (!response.ok) throw new Error(`The change answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
    return at
  }
}

/** How long changes take to reach a client that polls the home page. */
async function timesOfHome(api: Child, change: () => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < CHANGES_OF_HOME; n += 1) {
    const poller = poll(api, '/')
    const since = await change()
    times.push((await poller) - since)
    await sleep(PAUSE_MS)
  }
  return times
}

/** The moment at which a path has changed. */
async function poll({ ready }: Child, path: string): Promise<number> {
  const read = (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${ready.port}${path}`, { headers })
  const first = await read()
  await first.arrayBuffer()
  const etag = first.headers.get('etag')!
  for (;;) {
    const answer = await read({ 'If-None-Match': etag })
    await answer.arrayBuffer()
    if (answer.status === 200) return now()
  }
}

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}
