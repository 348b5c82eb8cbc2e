import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../support/caller.ts'
import { until } from '../support/wait.ts'
import { tracesOf } from './outage-rows.ts'
import { make, type Outage } from './outage-setup.ts'

const SECOND = 1000
const WRITE_EVERY_MS = SECOND
/** An answer takes its time, and the database may be back a moment after its time. */
const LAST_WRITE_MS = 3 * SECOND
const PREFIX = 'refused-'

interface Write {
  path: string
  body: object
  key: string
}

export interface Refused {
  count: number
  problems: string[]
  /** The same writes once more, each until it is accepted. Answers what was wrong, and the incidents that were reported. */
  repeat(databaseUrl: string): Promise<{ problems: string[]; reported: number[] }>
}

/** Writes while the database is away: each is refused with 503. They affect this item and belong to these incidents. */
export async function writeMeanwhile(
  admin: Caller,
  outage: Outage,
  { item, incidents }: { item: number; incidents: number[] },
): Promise<Refused> {
  const writes: Write[] = []
  const problems: string[] = []
  const send = ({ path, body, key }: Write) => admin.post(path, body, { 'Idempotency-Key': key })
  while (Date.now() < outage.until - LAST_WRITE_MS) {
    const write = nextWrite(writes.length, item, incidents)
    const { status, body } = await send(write)
    if (status !== 503) problems.push(`${write.path} answered ${status} in the outage: ${JSON.stringify(body)}`)
    writes.push(write)
    await sleep(WRITE_EVERY_MS)
  }
  return {
    count: writes.length,
    problems,
    async repeat(databaseUrl) {
      const left = await tracesOf(databaseUrl, PREFIX)
      const wrong = Object.entries(left).map(([table, count]) => `${count} refused writes have left a row in ${table}`)
      const reported: number[] = []
      for (const write of writes) {
        const { status, body } = await until(
          () => send(write),
          (answer) => answer.status !== 503,
        )
        if (status !== 201) wrong.push(`${write.path} answered ${status} when it was repeated: ${JSON.stringify(body)}`)
        if (write.path === '/admin/incidents') reported.push(body.id)
      }
      return { problems: wrong, reported }
    },
  }
}

function nextWrite(number: number, item: number, incidents: number[]): Write {
  const key = `${PREFIX}${number}`
  const record = { title: key, external_id: key, affected_items: [{ id: item }] }
  const kinds: Omit<Write, 'key'>[] = [
    { path: '/admin/incidents', body: record },
    { path: `/admin/incidents/${incidents[number % incidents.length]}/updates`, body: { message: key } },
    { path: '/admin/maintenances', body: record },
  ]
  return { ...kinds[number % kinds.length]!, key }
}

export interface Heartbeat {
  id: number
  refused(): number
  /** Ends the calls. Answers when the last one that was recorded began. */
  stop(): Promise<number>
}

export const HEARTBEAT = { period_seconds: 8, grace_seconds: 2 }
const CALL_EVERY_MS = 2 * SECOND

/** A heartbeat that opens an incident by itself, and a caller that calls while `mayCall` allows calls. */
export async function startHeartbeat(
  { admin, url, name }: { admin: Caller; url: string; name: string },
  mayCall: () => boolean,
): Promise<Heartbeat> {
  const { id: item } = await make(admin, '/admin/hierarchy/items', { name, depth: 1 })
  const post = { public_post: true, public_post_mode: 'automatic', incident_status: 'degraded' }
  const { id, heartbeat_url } = await make(admin, '/admin/beats', {
    ...{ name, type: 'heartbeat', target: HEARTBEAT, component_ids: [item], action_policies: { critical: post } },
  })
  const address = `${url}/api/v1/heartbeats/${heartbeat_url.split('/').at(-1)}`
  let [stopped, refused, last] = [false, 0, 0]
  async function live(): Promise<void> {
    for (; !stopped; await sleep(CALL_EVERY_MS)) {
      if (!mayCall()) continue
      const began = Date.now()
      const taken = await fetch(address, { method: 'POST' }).then(
        ({ ok }) => ok,
        () => false,
      )
      if (taken) last = began
      else refused += 1
    }
  }
  const life = live()
  return {
    id,
    refused: () => refused,
    async stop() {
      stopped = true
      await life
      return last
    },
  }
}
