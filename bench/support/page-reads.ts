import type { BenchService, Say } from './bench-service.ts'
import type { Child } from './child.ts'
import { plainGet } from './plain-get.ts'
import type { ReadJob, ReadRate } from './reader.ts'
import type { Figure } from './report.ts'

const ROUNDS = 9
const ROUND_SECONDS = 2
const CONNECTIONS = 64
const ACCEPTED = { 'Accept-Encoding': 'br, gzip' }
export interface Compared {
  /** The names of the addresses, with their paths. */
  paths: Record<string, string>
  /** The least part of the rate of the bare server: of whole answers, and of 304s against its whole answers. */
  whole: number
  unchanged: number
}

/** The rate of some addresses and their 304s, against a bare server with the same answers. */
export async function compareReads(
  service: BenchService,
  api: Child,
  { paths, whole, unchanged }: Compared,
  say: Say,
): Promise<{ how: string; figures: Figure[] }> {
  const bare = await service.start(new URL('./bare-answers.ts', import.meta.url))
  const client = await service.start(new URL('./reader.ts', import.meta.url))
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(paths)) {
    say(`Reading the ${name}`)
    const { headers, body } = await plainGet(Number(api.ready.port), path, ACCEPTED)
    const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...sent } = headers
    await bare.ask({ path, headers: sent, body: body.toString('base64') })
    const rate = async ({ ready }: Child, known = false) => {
      const job: ReadJob = {
        ...{ port: Number(ready.port), path, seconds: ROUND_SECONDS, concurrency: CONNECTIONS },
        headers: known ? { ...ACCEPTED, 'If-None-Match': headers.etag! } : ACCEPTED,
        status: known ? 304 : 200,
      }
      const { rate, failures } = await client.ask<ReadRate>(job)
      if (failures.length > 0) throw new Error(failures.join('\n'))
      return rate
    }
    // Warms all three up.
    for (const warming of [() => rate(bare), () => rate(api), () => rate(api, true)]) await warming()
    const rounds: Record<'bare' | 'whole' | 'unchanged', number>[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({ bare: await rate(bare), whole: await rate(api), unchanged: await rate(api, true) })
    }
    const of = (value: (round: (typeof rounds)[number]) => number) => medianOf(rounds.map(value))
    figures.push(
      {
        name: `${name} against the bare server`,
        value: of((r) => r.whole / r.bare),
        unit: '',
        target: { atLeast: whole },
      },
      {
        name: `304s of the ${name} against the bare server's 200s`,
        ...{ value: of((r) => r.unchanged / r.bare), unit: '', target: { atLeast: unchanged } },
      },
      {
        name: `${name} (${body.length} bytes, ${headers['content-encoding'] ?? 'plain'})`,
        value: of((r) => r.whole),
        unit: '/s',
      },
      { name: `304s of the ${name}`, value: of((r) => r.unchanged), unit: '/s' },
      { name: `bare server, ${name}`, value: of((r) => r.bare), unit: '/s' },
    )
  }
  return {
    how: `${CONNECTIONS} connections of a client in its own process read the ${listed(Object.keys(paths))} of a page with 1,000 items, 200 incidents and 5 open ones, compressed. The API counts each request for its rate limit. The reference is a bare Node server in its own process, which sends the same bytes with the same headers from memory. ${ROUNDS} rounds of ${ROUND_SECONDS} s each, in turn; medians count, and for the ratios the median of the ratios of the rounds.`,
    figures,
  }
}

const listed = (names: string[]) => new Intl.ListFormat('en').format(names)

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
