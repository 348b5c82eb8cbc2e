import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { callerOf } from '../support/caller.ts'
import { answered } from './agent.ts'
import { type Bench, openBench } from './bench.ts'
import { makePage } from './run.ts'

/** Reads the page while PostgreSQL and Temporal are away and the API is killed in between: every answer has the status 200. */

interface ReadOptions {
  /** How long the servers are away. */
  seconds: number
  readers: number
  say: (text: string) => void
  opened?: (bench: Bench) => void
}

const LONGEST_REFUSAL_MS = 3000
const LONGEST_ANSWER_MS = 5000
/** Until every answer is on the disk. */
const WARM_MS = 15_000

export async function runReads({ seconds, readers, say, opened }: ReadOptions) {
  const bench = await openBench({ minuteMs: 60_000, say })
  opened?.(bench)
  const problems: string[] = []
  try {
    const admin = callerOf(bench.url, await makePage(bench.databaseUrl))
    const paths = await fill(admin)
    const seen = watch(bench.url, paths, readers)
    await sleep(WARM_MS)
    say(`PostgreSQL and Temporal are killed for ${seconds} s`)
    const pause = seconds * 1000
    const back = [bench.kill('postgres', pause), bench.kill('temporal', pause)]
    await sleep(pause / 3)
    say('the API is killed')
    await bench.kill('api', 0)
    await Promise.all(back)
    say('PostgreSQL and Temporal are back')
    await sleep(WARM_MS)
    const { reads, wrong, refusedMs } = await seen.end()
    if (reads === 0) problems.push('nothing was read')
    for (const [answer, count] of wrong) problems.push(`${count} times ${answer}`)
    if (refusedMs > LONGEST_REFUSAL_MS) problems.push(`connections were refused for ${refusedMs} ms`)
    return { problems, figures: { seconds, addresses: paths.length, reads, refused_ms: refusedMs } }
  } finally {
    await bench.close()
    if (problems.length === 0) rmSync(bench.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The addresses of a page with records. */
async function fill(admin: ReturnType<typeof callerOf>): Promise<string[]> {
  const made = async (path: string, body: object) => {
    const { status, body: record } = await answered(() => admin.post(path, body))
    if (status >= 300) throw new Error(JSON.stringify(record))
    return record
  }
  const enabled = { embed_badge_enabled: true, embed_widget_enabled: true }
  const { body: settings } = await answered(() => admin.patch('/admin/settings', enabled))
  if (settings.embed_widget_enabled !== true) throw new Error(JSON.stringify(settings))
  const item = await made('/admin/hierarchy/items', { name: 'Shop', external_id: 'shop' })
  const affected_items = [{ id: item.id }]
  const open = await made('/admin/incidents', { title: 'Slow', external_id: 'slow', affected_items })
  const times = { scheduled_start_time: '2036-03-02T15:00:00Z', scheduled_end_time: '2036-03-02T16:00:00Z' }
  await made('/admin/maintenances', { title: 'Upgrade', external_id: 'upgrade', affected_items, ...times })
  await made('/admin/views', { name: 'Shops', alias: 'shops', items: affected_items })
  const { public_slug: slug } = (await admin.get('/admin/page')).body
  const documents = ['', `/incidents/${open.id}`, '/v/shops', '/feed.rss', '/feed.atom', '/calendar.ics']
  const embeds = ['/badge.svg', '/badge.json', '/embed/frame', '/embed.js']
  const statuspage = ['summary', 'status', 'components', 'incidents'].map((name) => `/api/v2/${name}.json`)
  const lists = ['settings', 'components', 'summary', 'metrics', 'incidents', 'maintenances', 'history']
  return [
    ...[...documents, ...embeds, ...statuspage].map((path) => `/status/${slug}${path}`),
    ...lists.map((list) => `/api/v1/pages/public/${slug}/${list}`),
  ]
}

/** Reads all addresses again and again. */
function watch(url: string, paths: string[], readers: number) {
  let isOver = false
  let reads = 0
  let refusedMs = 0
  let refusedSince: number | undefined
  const wrong = new Map<string, number>()

  const count = (answer: string) => void wrong.set(answer, (wrong.get(answer) ?? 0) + 1)

  async function read(path: string): Promise<void> {
    const began = performance.now()
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS)
    const response = await fetch(`${url}${path}`, { signal }).catch(() => undefined)
    if (signal.aborted) return count(`no answer within ${LONGEST_ANSWER_MS} ms for ${path}`)
    if (!response) {
      refusedSince ??= began
      return sleep(20)
    }
    if (refusedSince !== undefined) refusedMs = Math.max(refusedMs, Math.round(performance.now() - refusedSince))
    refusedSince = undefined
    // A connection that was cut in the middle of an answer is one more that was refused.
    const text = await response.text().catch(() => undefined)
    reads += 1
    if (response.status === 200 || text === undefined) return
    count(`${response.status} for ${path}`)
  }

  const reading = Array.from({ length: readers }, async (_, first) => {
    for (let index = first; !isOver; index += 1) {
      await read(paths[index % paths.length]!)
      await sleep(5)
    }
  })
  return {
    async end() {
      isOver = true
      await Promise.all(reading)
      if (refusedSince !== undefined) refusedMs = Math.max(refusedMs, Math.round(performance.now() - refusedSince))
      return { reads, wrong, refusedMs }
    },
  }
}
