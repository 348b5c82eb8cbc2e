import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.ts'

/** What the client knows: only what was acknowledged to it. */
export interface Known {
  externalId: string
  id: number
  /** In minutes, as it was reported. */
  interval: number | undefined
  updates: Map<string, KnownUpdate>
  resolvedAt?: number
}

interface KnownUpdate {
  id: number | undefined
  /** What it changed the interval to, if it did. */
  interval?: number
  resolves: boolean
}

export interface Client {
  known: Map<number, Known>
  acknowledged(): number
  /** Tries that had no answer, or one that promises nothing. */
  unanswered(): number
  /** Answers 5xx other than 503. */
  surprises(): number
  /** Answers that a client should never see. */
  problems: string[]
  run(): Promise<void>
}

interface Options {
  url: string
  token: string
  random: Random
  writes: number
  writers: number
  /** The longest pause of a writer between two writes. */
  pauseMs: number
}

/** A machine of any speed has answered by then, if what answers was not killed. */
const TRY_MS = 30_000
const MOST_OPEN = 25

/** Some writers that report incidents, update and resolve them, each write until it is acknowledged. */
export function createClient({ url, token, random, writes, writers, pauseMs }: Options): Client {
  const known = new Map<number, Known>()
  const open: (Known & { busy: number })[] = []
  const problems: string[] = []
  let begun = 0
  let acknowledged = 0
  let unanswered = 0
  let surprises = 0

  async function insist(path: string, body: object, key?: string): Promise<Record<string, unknown>> {
    for (;;) {
      const answer = await once(path, body, key).catch(() => undefined)
      if (answer && answer.status < 300) {
        acknowledged += 1
        return answer.body
      }
      if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_flight') {
        problems.push(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
        return {}
      }
      // The contract has a word for a database that is away; anything else is a door without a sign.
      if (answer && answer.status !== 503 && answer.status >= 500) surprises += 1
      unanswered += 1
      await sleep(random.between(50, 250))
    }
  }

  async function once(path: string, body: object, key?: string) {
    const response = await fetch(`${url}/api/v1/admin${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...(key ? { 'Idempotency-Key': key } : {}),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TRY_MS),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  async function report(): Promise<void> {
    const externalId = `fault-${randomUUID()}`
    const interval = random.chance(0.8) ? random.between(1, 4) : undefined
    const body = { title: externalId, external_id: externalId, reminder_interval_minutes: interval }
    const { id, external_id } = await insist('/incidents', body)
    if (external_id !== externalId) return
    const incident = { externalId, id: id as number, interval, updates: new Map(), busy: 0 }
    known.set(incident.id, incident)
    open.push(incident)
  }

  async function update(incident: Known & { busy: number }): Promise<void> {
    const key = randomUUID()
    const interval = random.chance(0.3) ? random.between(1, 4) : undefined
    incident.busy += 1
    const body = { message: key, ...(interval ? { reminder_interval_minutes: interval } : {}) }
    const { id } = await insist(`/incidents/${incident.id}/updates`, body, key)
    incident.busy -= 1
    incident.updates.set(key, { id: id as number, interval, resolves: false })
  }

  async function resolve(incident: Known): Promise<void> {
    open.splice(open.indexOf(incident as (typeof open)[number]), 1)
    const message = randomUUID()
    const byUpdate = random.chance(0.5)
    const { id } = byUpdate
      ? await insist(`/incidents/${incident.id}/updates`, { message, status: 'resolved' }, message)
      : await insist(`/incidents/external/${incident.externalId}/resolve`, { resolution_message: message })
    incident.updates.set(message, { id: byUpdate ? (id as number) : undefined, resolves: true })
    incident.resolvedAt = Date.now()
  }

  async function writer(): Promise<void> {
    while (begun < writes) {
      begun += 1
      const idle = open.filter((incident) => incident.busy === 0)
      const end = writes - begun < 30
      if (open.length < 5 || (random.chance(0.25) && open.length < MOST_OPEN)) await report()
      else if (idle.length > 0 && random.chance(end || open.length >= MOST_OPEN ? 0.5 : 0.2)) {
        await resolve(random.pick(idle))
      } else await update(random.pick(open))
      await sleep(random.between(0, pauseMs))
    }
  }

  return {
    known,
    problems,
    acknowledged: () => acknowledged,
    unanswered: () => unanswered,
    surprises: () => surprises,
    run: async () => {
      await Promise.all(Array.from({ length: writers }, writer))
    },
  }
}
