import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { beatConfigChanged } from '../../src/domain/beats/changes/config-changed.ts'
import { startAssigner } from '../../src/orchestration/shards.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { Heartbeat } from '../../src/persistence/entities/heartbeat.ts'
import { actingBeat, incidentsOf, insertGroup, removeRow, see } from '../support/acting.ts'
import { withoutDatabase } from '../support/administrator.ts'
import { askSilently, draftPlan, planCalls } from '../support/agent.ts'
import { dueTimes, openIncident, postUpdate, resolve } from '../support/incidents.ts'
import { makeEndpoint, makeEventBeat, makeTrigger, send } from '../support/ingest.ts'
import { makeItem } from '../support/maintenances.ts'
import { openShortRunProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { setTestServers } from '../support/servers.ts'
import { changeBeats, insertBeats, openTarget } from '../support/shards.ts'
import { startServers } from '../support/start-servers.ts'
import { inPage, insertHeartbeat, storedBeat } from '../support/stored-beats.ts'
import { until } from '../support/wait.ts'
import { openWebhookSink } from '../support/webhook-sink.ts'

/**
 * Records typical lives of the processes, which `replay.test.ts` replays with the workflows as they are then. Run it
 * (`node test/replay/record.ts`) when a kind of process is added or learns something. Keep what was recorded before:
 * somewhere a workflow that began with that code is still running.
 */
const folder = fileURLToPath(new URL('./histories/', import.meta.url))
const MINUTE = 500

type Life = (processes: TestProcesses) => Promise<{ workflowId: string; runId?: string }>

const lives: Record<string, Life> = {
  'incident.reminders': async ({ service }) => {
    const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
    await until(
      () => dueTimes(service, id),
      ({ length }) => length >= 2,
    )
    await postUpdate(service, id, { reminder_interval_minutes: 2 })
    await until(
      () => dueTimes(service, id),
      ({ length }) => length >= 3,
    )
    await postUpdate(service, id, { reminder_interval_minutes: null })
    await settled(service)
    await resolve(service, id)
    return { workflowId }
  },
  'notification.sent': async ({ service }) => {
    const sink = await openWebhookSink()
    // The first attempt fails: the next one is five seconds later.
    sink.answer = () => ({ status: sink.received.length === 1 ? 500 : 204 })
    await service.admin.post('/admin/subscribers', { channel: 'webhook', url: sink.url })
    const { id } = await openIncident(service)
    const events = async () => (await service.admin.get(`/admin/incidents/${id}/notifications`)).body.events
    const [event] = await until(events, ([one]) => one.sent === 1)
    await settled(service)
    await sink.close()
    return { workflowId: `notification:${event.notification.id}` }
  },
  'digest.sent': async ({ service, relay }) => {
    const subscriber = { channel: 'email', email: 'reader@example.com', confirmed: true, frequency: 'daily' }
    await service.admin.post('/admin/subscribers', subscriber)
    const workflowId = `digest:${service.page.id}`
    for (const title of ['First', 'Second']) await service.admin.post('/admin/incidents', { title })
    await until(
      () => service.admin.get(`/admin/workflows/${workflowId}`),
      ({ body }) => /^the next daily mail/.test(body.waiting_for),
    )
    await service.services.system.em
      .fork()
      .execute(`update delivery set next_attempt_at = now() + interval '2 seconds'`)
    relay.wakeProcesses([{ kind: 'digest', id: service.page.id, pageId: service.page.id }])
    return { workflowId }
  },
  'incident.without-a-moment': async ({ service, relay, temporal }) => {
    const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
    await until(
      () => dueTimes(service, id),
      ({ length }) => length >= 2,
    )
    await postUpdate(service, id, { reminder_interval_minutes: null })
    relay.wakeProcesses([{ kind: 'incident', id, pageId: service.page.id }])
    await temporal.client.workflow.getHandle(workflowId).result()
    return { workflowId }
  },
  'incident.continued-as-new': async ({ service, temporal }) => {
    const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
    await settled(service)
    const describe = () => temporal.client.workflow.getHandle(workflowId).describe()
    const { runId } = await describe()
    await until(describe, (now) => now.runId !== runId)
    await resolve(service, id)
    return { workflowId, runId }
  },
  'incident.asked': async ({ service }) => {
    const { id, workflowId } = await openIncident(service)
    await settled(service)
    const ask = () => service.admin.post(`/admin/workflows/${workflowId}/wake`)
    await ask()
    await Promise.all([ask(), postUpdate(service, id), ask()])
    await resolve(service, id)
    return { workflowId }
  },
  'incident.database-away': async ({ service }) => {
    const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 1 })
    await until(
      () => dueTimes(service, id),
      ({ length }) => length >= 1,
    )
    await withoutDatabase(service, () => sleep(9000))
    const { length } = await dueTimes(service, id)
    await until(
      () => dueTimes(service, id),
      (times) => times.length >= length + 1,
    )
    await resolve(service, id)
    return { workflowId }
  },
  'item.override': async ({ service }) => {
    const id = await makeItem(service, 'Search')
    const until = new Date(Date.now() + 2000).toISOString()
    await service.admin.request('PUT', `/admin/hierarchy/items/${id}/status`, {
      status: 'degraded',
      reason: 'Slow',
      until,
    })
    await settled(service)
    await sleep(2000)
    return { workflowId: `item:${id}` }
  },
  'maintenance.window': async ({ service }) => {
    const item = await makeItem(service, 'Search')
    await service.admin.patch('/admin/chat/settings', { maintenance_reminder_pre_start_intervals: '2' })
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const window = { scheduled_start_time: at(3000), scheduled_end_time: at(60_000), auto_transition_enabled: true }
    const { body } = await service.admin.post('/admin/maintenances', {
      ...{ title: 'Upgrade', affected_items: [{ id: item }], ...window },
    })
    const read = () => service.admin.get(`/admin/maintenances/${body.id}`)
    await until(read, ({ body: { status } }) => status === 'in_progress')
    await service.admin.patch(`/admin/maintenances/${body.id}`, { title: 'Upgrade', scheduled_end_time: at(2000) })
    await until(read, ({ body: { status } }) => status === 'completed')
    return { workflowId: `maintenance:${body.id}` }
  },
  'beat.muted': async ({ service }) => {
    const { id } = await actingBeat(service, { muted_until: new Date(Date.now() + 3000) })
    await see(service, id, 'critical')
    await until(
      () => incidentsOf(service, id),
      ({ length }) => length === 1,
    )
    await see(service, id, 'healthy')
    await settled(service)
    await removeRow(service, 'beat', id)
    return { workflowId: `beat:${id}` }
  },
  'beat.silent': async ({ service }) => {
    const { id, path } = await insertHeartbeat(service, { period_seconds: 2 })
    const change = (to: Partial<Beat>) =>
      inPage(service, async (work) => {
        const beat = await work.tx.findOneOrFail(Beat, { id })
        beatConfigChanged(work, Object.assign(beat, to), 'a change of the beat')
      })
    const stage = (wanted: string) =>
      until(
        () => storedBeat(service, id),
        ({ current_stage }) => current_stage === wanted,
      )
    await change({})
    for (let time = 0; time < 2; time += 1) {
      await stage('critical')
      await service.as(undefined).get(path)
      await stage('healthy')
    }
    await service.services.system.em.fork().nativeDelete(Heartbeat, { beat_id: id })
    await settled(service)
    await removeRow(service, 'beat', id)
    return { workflowId: `beat:${id}` }
  },
  'beat-group.members': async ({ service }) => {
    const beat_group_id = await insertGroup(service, { muted_until: new Date(Date.now() + 3000) })
    const [first, second] = [await actingBeat(service, { beat_group_id }), await actingBeat(service, { beat_group_id })]
    for (const { id } of [first, second]) await see(service, id, 'critical')
    await until(
      () => incidentsOf(service, beat_group_id, 'group'),
      ({ length }) => length === 1,
    )
    for (const { id } of [first, second]) await see(service, id, 'healthy')
    await settled(service)
    for (const { id } of [first, second]) await removeRow(service, 'beat', id)
    await removeRow(service, 'beat-group', beat_group_id)
    return { workflowId: `beat-group:${beat_group_id}` }
  },
  'check.served': async ({ service }) => {
    const target = await openTarget()
    const [id] = await insertBeats(service.services, service.page.id, 1, { target: { url: target.url } })
    const { body } = await service.admin.post(`/admin/beats/${id}/run`)
    target.close()
    return { workflowId: `check:${body.check_id}` }
  },
  'check.unserved': async ({ service }) => {
    const [id] = await insertBeats(service.services, service.page.id, 1, { regions: ['mars'] })
    const { body } = await service.admin.post(`/admin/beats/${id}/run`)
    return { workflowId: `check:${body.check_id}` }
  },
  'checks.shard': async (processes) => {
    const { service, temporal } = processes
    const target = await openTarget()
    const assigner = startAssigner({ ...service.services, temporal, slots: 100 })
    const [id] = await insertBeats(service.services, service.page.id, 1, {
      target: { url: target.url },
      regions: ['mars'],
    })
    const unknown = async () => (await storedBeat(service, id!)).unknown_since !== null
    await until(unknown, (is) => is)
    await processes.stopWorker()
    service.services.regions.push('mars')
    await processes.startWorker()
    await until(unknown, (is) => !is)
    await sleep(1000)
    await changeBeats(service.services, [id!], 'enabled = false')
    await sleep(2000)
    await assigner.close()
    target.close()
    return { workflowId: 'checks:mars:0' }
  },
  'series.daily': async ({ service }) => {
    const item = await makeItem(service, 'Search')
    const start_date = new Date(Date.now() + 86_400_000).toISOString()
    const { body } = await service.admin.post('/admin/maintenance-series', {
      ...{ title: 'Daily', affected_items: [{ id: item }], recurrence_type: 'daily', start_date, timezone: 'UTC' },
      ...{ start_time: '02:30', duration_minutes: 60, generate_months: 6 },
    })
    await settled(service)
    await service.admin.post(`/admin/maintenance-series/${body.id}/pause`)
    await settled(service)
    await service.admin.post(`/admin/maintenance-series/${body.id}/end`)
    return { workflowId: `series:${body.id}` }
  },
  'inbox.silence': async ({ service }) => {
    const { id, token } = await makeEndpoint(service)
    const beat = await makeEventBeat(service)
    await makeTrigger(service, id, [beat], { silence_minutes: 1 })
    await send(service, token, { state: 'firing', alert: 'cpu' })
    await settled(service)
    const soon = new Date(Date.now() + 3000)
    await service.services.system.em.fork().execute('update beat_fingerprint set silent_at = ?', [soon])
    await service.admin.post(`/admin/workflows/inbox:${id}/wake`)
    return { workflowId: `inbox:${id}` }
  },
  'ingest-token.grace': async ({ service }) => {
    const { id } = await makeEndpoint(service)
    await service.admin.post(`/admin/external-event-endpoints/${id}/rotate`, { old_token_expiry: '1h' })
    await settled(service)
    const soon = new Date(Date.now() + 3000)
    await service.services.system.em
      .fork()
      .execute('update ingest_token set expires_at = ? where expires_at is not null', [soon])
    await service.admin.post(`/admin/workflows/ingest-token:${id}/wake`)
    return { workflowId: `ingest-token:${id}` }
  },
  'delegation.answered': async ({ service, relay }) => {
    const id = await askSilently(service, 'What can you do?')
    relay.wakeProcesses([{ kind: 'delegation', id, pageId: service.page.id }])
    await until(
      async () => (await service.admin.get(`/admin/agent/delegations/turns/${id}`)).body.state,
      (state) => state === 'answered',
    )
    return { workflowId: `delegation:${id}` }
  },
  'plan.expired': async ({ service }) => {
    service.services.planTtlMs = 3000
    const { id } = await draftPlan(service.admin, { operation: 'incidents.create', input: { title: 'Down' } })
    return { workflowId: `plan:${id}` }
  },
  'plan.confirmed': async ({ service }) => {
    service.services.planTtlMs = 5000
    const { id } = await draftPlan(service.admin, { operation: 'incidents.create', input: { title: 'Down' } })
    await settled(service)
    await planCalls(service.admin, id).confirm()
    return { workflowId: `plan:${id}` }
  },
}

async function record(name: string, life: Life): Promise<void> {
  quietRuntime()
  const processes = await openShortRunProcesses({
    minuteMs: MINUTE,
    events: name.includes('continued') ? 20 : undefined,
  })
  await processes.startWorker()
  const { workflowId, runId } = await life(processes)
  await settled(processes.service)
  const handle = processes.temporal.client.workflow.getHandle(workflowId, runId)
  await until(
    () => handle.describe(),
    ({ status }) => status.name !== 'RUNNING',
  )
  const history = historyToJSON(await handle.fetchHistory())
  // A history does not name paths of the machine that recorded it.
  await writeFile(
    `${folder}${name}.json`,
    `${history.replace(/"stackTrace": "(?:[^"\\]|\\.)*"/g, '"stackTrace": ""')}\n`,
  )
  await processes.close()
}

const { servers, stop } = await startServers()
setTestServers(servers)
try {
  for (const [name, life] of Object.entries(lives)) {
    if (process.argv[2] && !name.includes(process.argv[2])) continue
    console.log(`recording ${name}`)
    await record(name, life)
  }
} finally {
  await stop()
}
