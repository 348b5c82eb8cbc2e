import { setTimeout as sleep } from 'node:timers/promises'
import { openTemporal } from '../../src/orchestration/client.ts'
import { type Kept, keptBetween } from './beats.ts'
import { type BenchService, NAMESPACE, type Say } from './bench-service.ts'
import { cpuOf } from './cpu.ts'
import { postmasterOf } from './facts.ts'

export const SECONDS = 60
/** For shards to be assigned, leases to begin, and the database to have planned its statements. */
export const WARM_UP_SECONDS = 20

interface Load {
  name: string
  beats: number
  intervalSeconds: number
}

export interface Measured extends Kept {
  load: Load
  /** Milliseconds of CPU for each check: of our processes, of Temporal, of PostgreSQL. */
  cpu: { ours: number; temporal: number; postgres: number }
  walBytes: number
  events: number
}

/** What checks are measured with: a target, Temporal, and the clocks of all processes. */
export interface Bench {
  address: string
  url: string
  pageId: number
  measure(load: Load, ours: number[]): Promise<Measured>
}

export async function openBench(service: BenchService, say: Say): Promise<Bench> {
  const { database } = service
  const target = await service.start(new URL('./check-target.ts', import.meta.url))
  const { address, pid } = await service.startTemporal()
  const one = async <T>(sql: string) => Object.values((await database.query(sql)).rows[0])[0] as T
  const postmaster = await postmasterOf(database)
  const pageId = await one<number>('select min(id) from page')
  const look = async (ours: number[]) => ({
    at: new Date(),
    ours: ours.map(cpuOf).reduce((sum, ms) => sum + ms, 0),
    temporal: cpuOf(pid),
    postgres: cpuOf(postmaster),
    wal: Number(await one<string>(`select pg_current_wal_lsn() - '0/0'::pg_lsn`)),
    events: await eventsAt(address),
  })
  return {
    address,
    url: `http://127.0.0.1:${target.ready.port}`,
    pageId,
    async measure(load, ours) {
      say(`${load.name}: warming up for ${WARM_UP_SECONDS} s, then ${SECONDS} s`)
      await sleep(WARM_UP_SECONDS * 1000)
      const before = await look(ours)
      await sleep(SECONDS * 1000)
      const after = await look(ours)
      await sleep(3000)
      const to = new Date(before.at.getTime() + SECONDS * 1000)
      const kept = await keptBetween(database, before.at, to, (load.beats * SECONDS) / load.intervalSeconds)
      const each = (what: 'ours' | 'temporal' | 'postgres' | 'wal' | 'events') =>
        (after[what] - before[what]) / Math.max(kept.checks, 1)
      return {
        ...{ load, ...kept, walBytes: each('wal'), events: each('events') },
        cpu: { ours: each('ours'), temporal: each('temporal'), postgres: each('postgres') },
      }
    },
  }
}

/** How long the histories of everything that checks are, together. */
async function eventsAt(address: string): Promise<number> {
  const temporal = openTemporal(address, NAMESPACE)
  let sum = 0
  const query = `WorkflowType in ('checkShard', 'plainBeat') and ExecutionStatus = 'Running'`
  for await (const { workflowId } of temporal.client.workflow.list({ query })) {
    sum += (await temporal.client.workflow.getHandle(workflowId).describe()).historyLength
  }
  await temporal.close()
  return sum
}
