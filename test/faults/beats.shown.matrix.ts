import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Caller, callerOf } from '../support/caller.ts'
import { type FaultTarget, type FaultTargets, openFaultTargets } from '../support/fault-target.ts'
import { until } from '../support/wait.ts'
import { type Bench, openBench } from './bench.ts'
import { makePage } from './run.ts'

/** The whole service in processes of its own, and targets whose answers the test sets. */
let bench: Bench
let admin: Caller
let targets: FaultTargets
beforeAll(async () => {
  targets = await openFaultTargets()
  bench = await openBench({ minuteMs: 60_000, say: () => {} })
  admin = callerOf(bench.url, await makePage(bench.databaseUrl))
  await until(
    () =>
      fetch(`${bench.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    Boolean,
  )
})
afterAll(async () => {
  await bench?.close()
  await targets?.close()
  if (bench) rmSync(bench.dir, { recursive: true, force: true, maxRetries: 5 })
})

interface Watched {
  id: number
  item: number
  targets: FaultTarget
}

const thresholds = { warning_rule: { consecutive_failures: 1 }, critical_rule: { consecutive_failures: 3 } }
const acts = {
  warning: { admin_banner: true, public_post: true, public_post_mode: 'draft_only', incident_status: 'degraded' },
  critical: { admin_banner: true, public_post: true, public_post_mode: 'automatic', incident_status: 'major_outage' },
  recovery: { public_post: true, public_post_mode: 'automatic' },
}

async function make(path: string, body: object) {
  const answer = await until(
    () => admin.post(path, body),
    ({ status }) => status !== 503,
  )
  if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function watch(one: FaultTarget, action_policies: object, more: object = {}): Promise<Watched> {
  const item = await make('/admin/hierarchy/items', { name: `${one.type} ${crypto.randomUUID()}`, depth: 1 })
  const { id } = await make('/admin/beats', {
    ...{ name: `Our ${one.type}`, type: one.type, target: one.target, interval_seconds: 2, timeout_ms: 4000 },
    ...{ threshold_policies: thresholds, action_policies, component_ids: [item.id], ...more },
  })
  return { id, item: item.id, targets: one }
}

const stageOf = async ({ id }: Watched) => (await admin.get(`/admin/beats/${id}`)).body.current_stage as string
const allAre = (beats: Watched[], stage: string) =>
  until(
    () => Promise.all(beats.map(stageOf)),
    (stages) => stages.every((one) => one === stage),
  )

const transitionsOf = async ({ id }: Watched) =>
  (await admin.get(`/admin/beats/${id}/transitions`)).body.transitions.reverse() as {
    number: number
    to_stage: string
    evidence: string
  }[]
const actionsOf = async ({ id }: Watched) =>
  (await admin.get(`/admin/beat-actions?beat_id=${id}`)).body.beat_actions as {
    id: number
    state: string
    stage: string
  }[]
const incidentsOf = async ({ item }: Watched) => {
  const { incidents } = (await admin.get('/admin/incidents?view=full&limit=100')).body
  return incidents.filter((one: { affected_items: { id: number }[] }) =>
    one.affected_items.some(({ id }) => id === item),
  )
}

test('each type goes warning, critical and healthy, and what follows from it appears once, through a kill -9', async () => {
  const beats = await Promise.all(targets.targets.map((one) => watch(one, acts)))
  await allAre(beats, 'healthy')
  beats.forEach(({ targets: one }, index) => {
    one.feel(one.ills[index % one.ills.length]!)
  })
  await until(
    () => Promise.all(beats.map(stageOf)),
    (stages) => stages.some((stage) => stage !== 'healthy'),
  )
  await bench.kill('worker', 500)
  await allAre(beats, 'critical')
  await bench.kill('worker', 500)
  for (const { targets: one } of beats) one.feel('well')
  await allAre(beats, 'healthy')
  await until(
    () => Promise.all(beats.map(incidentsOf)),
    (lists) => lists.every((list) => list.length === 1 && list[0].resolved_at !== null),
  )
  for (const beat of beats) {
    const transitions = await transitionsOf(beat)
    const way = ['healthy', 'warning', 'critical', 'healthy']
    expect(transitions.map(({ number, to_stage }) => [number, to_stage])).toEqual(way.map((stage, n) => [n + 1, stage]))
    for (const { evidence } of transitions) expect(evidence).toMatch(/\w/)
    const actions = (await actionsOf(beat)).map(({ stage, state }) => `${stage} ${state}`).sort()
    expect(actions).toEqual(['critical executed', 'healthy executed', 'warning superseded'])
    const [incident] = await incidentsOf(beat)
    expect(incident).toMatchObject({ initial_status: 'major_outage', status: 'resolved' })
    expect(incident.updates.filter((one: { is_resolution: boolean }) => one.is_resolution)).toHaveLength(1)
    const { banners } = (await admin.get(`/admin/banners?beat_id=${beat.id}`)).body
    expect(banners.map((one: { stage: string }) => one.stage).sort()).toEqual(['critical', 'warning'])
    for (const banner of banners) expect(banner.dismissed_at).toMatch(/Z$/)
  }
})

test('a draft that is approved is posted once, and a draft that is rejected is never posted', async () => {
  const draft = { public_post: true, public_post_mode: 'draft_only' }
  const [web] = targets.targets
  const beats = [await watch(web!, { critical: draft, recovery: draft }), await watch(web!, { critical: draft })]
  await allAre(beats, 'healthy')
  web!.feel('fails')
  await allAre(beats, 'critical')
  const [yes, no] = await until(
    () => Promise.all(beats.map(actionsOf)),
    (lists) => lists.every((list) => list[0]?.state === 'pending_review'),
  )
  expect(await Promise.all(beats.map(incidentsOf))).toEqual([[], []])
  const approved = await admin.post(`/admin/beat-actions/${yes![0]!.id}/approve`)
  expect([approved.status, approved.body]).toMatchObject([200, { action: { state: 'executed' } }])
  const rejected = await admin.post(`/admin/beat-actions/${no![0]!.id}/reject`, { decision_note: 'a test of ours' })
  expect([rejected.status, rejected.body]).toMatchObject([200, { state: 'rejected' }])
  expect((await admin.post(`/admin/beat-actions/${no![0]!.id}/approve`)).status).toBe(409)
  expect((await Promise.all(beats.map(incidentsOf))).map((list) => list.length)).toEqual([1, 0])

  web!.feel('well')
  await allAre(beats, 'healthy')
  const [resolution] = await until(
    () => actionsOf(beats[0]!),
    (list) => list[0]?.stage === 'healthy',
  )
  expect((await incidentsOf(beats[0]!))[0].resolved_at).toBeNull()
  await admin.post(`/admin/beat-actions/${resolution!.id}/approve`)
  expect((await incidentsOf(beats[0]!))[0]).toMatchObject({ status: 'resolved' })
  expect(await incidentsOf(beats[1]!)).toEqual([])
})

test('a check that is asked for is a real one', async () => {
  const [web] = targets.targets
  web!.feel('well')
  const one = await watch(web!, {}, { enabled: false })
  expect((await admin.post(`/admin/beats/${one.id}/run`)).body).toMatchObject({
    status: 'completed',
    run: { beat_id: one.id, region: 'local', ok: true, status_code: 200 },
  })
  web!.feel('fails')
  const { status, body } = await admin.post('/admin/beats/test', {
    ...{ name: 'Not saved', type: 'http', target: web!.target, threshold_policies: thresholds },
  })
  expect([status, body]).toMatchObject([200, { status: 'completed', run: { ok: false, status_code: 503 } }])
  web!.feel('well')
})

/** Kills the worker, and waits until another one has checked this beat. */
async function replaceWorker({ id }: Watched): Promise<void> {
  await bench.kill('worker', 200)
  const killed = Date.now()
  await until(
    async () => (await admin.get(`/admin/beats/${id}/runs?limit=1`)).body.runs[0]?.at ?? null,
    (at) => Date.parse(at) > killed,
  )
}

test('a heartbeat fires once and only if due, with five kills in the period', async () => {
  const period_seconds = 40
  let ended = false
  const [web] = targets.targets
  const checked = await watch(web!, {})
  const { id, heartbeat_url } = await make('/admin/beats', {
    ...{ name: 'Backup', type: 'heartbeat', target: { period_seconds } },
  })
  const call = async () => {
    const { status } = await fetch(`${bench.url}${new URL(heartbeat_url).pathname}`)
    expect(status).toBe(200)
    return Date.now()
  }
  const transitions = async () =>
    (await admin.get(`/admin/beats/${id}/transitions`)).body.transitions.reverse() as {
      to_stage: string
      at: string
      cause: string
    }[]
  let called = await call()
  // Also in time where the machine needs longer than the period to start five workers.
  const calling = (async () => {
    while (!ended) {
      await sleep(2000)
      called = await call()
    }
  })()
  try {
    for (let kill = 0; kill < 5; kill += 1) await replaceWorker(checked)
  } finally {
    ended = true
  }
  await calling
  // All calls came in time, whatever died meanwhile.
  expect((await transitions()).map(({ to_stage }) => to_stage)).toEqual(['healthy'])
  for (let kill = 0; kill < 5; kill += 1) await replaceWorker(checked)
  const [, missed, ...more] = await until(transitions, (list) => list.length > 1)
  expect(missed).toMatchObject({ to_stage: 'critical', cause: expect.stringContaining('missed call') })
  expect(Date.parse(missed!.at)).toBeGreaterThanOrEqual(called - 1000 + period_seconds * 1000)
  expect(more).toEqual([])
  await call()
  expect((await transitions()).map(({ to_stage }) => to_stage)).toEqual(['healthy', 'critical', 'healthy'])
})
