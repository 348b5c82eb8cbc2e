import type { CrashPoint } from '../../src/domain/kernel/crash-points.ts'
import { openTemporal } from '../../src/orchestration/client.ts'
import { databaseUrlOf } from '../support/administrator.ts'
import { notesOf, unread } from '../support/incidents.ts'
import { keysOf, makeItem } from '../support/maintenances.ts'
import { testServers } from '../support/servers.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { passed, until } from '../support/wait.ts'
import { type Host, openHost } from './host.ts'

/** During which step the worker dies; the last is that of a worker which comes when the window is over already. */
export const turns = ['start', 'completion', 'both in one step'] as const
export type Turn = (typeof turns)[number]

const SECOND = 1000

/** What must be there in the end, wherever the worker died. */
export const eachOnce = {
  died: 'SIGKILL',
  entries: ['in_progress', 'completed'],
  notifications: ['maintenance.scheduled', 'maintenance.started', 'maintenance.completed'],
  item: ['operational > maintenance', 'maintenance > operational'],
  notes: ['started the maintenance', 'completed the maintenance'],
  versions: { maintenance: 3, item: 3 },
  workflow: 'COMPLETED',
  unread: 0,
  errors: [] as string[],
}

/** A maintenance that starts and ends by itself; its worker dies at this point of this turn, and another one comes. */
export async function crash(point: CrashPoint, turn: Turn): Promise<typeof eachOnce> {
  const service = await openTestService()
  const { temporalAddress } = testServers()
  const host = openHost({ DATABASE_URL: await databaseUrlOf(service), TEMPORAL_ADDRESS: temporalAddress })
  const temporal = openTemporal(temporalAddress, host.namespace)
  try {
    const item = await makeItem(service, 'Database')
    const [start, end] = turn === 'both in one step' ? [0.3, 0.6] : [2.5, 5.5]
    const window = await plan(service, item, start, end)
    if (turn === 'both in one step') await passed(new Date(window.end))
    const from = turn === 'start' ? window.start : window.end
    const first = host.startWorker({ TEST_CRASH_AT: `${point}@${from}` })
    const died = await first.ended
    await host.startWorker().ready
    // Not the process row, which says so as soon as the step is committed: the next worker must have looked again.
    // Temporal repeats a step without an answer ten seconds after it gave the step to the last worker.
    const { status } = await until(
      () => temporal.client.workflow.getHandle(`maintenance:${window.id}`).describe(),
      (workflow) => workflow.status.name !== 'RUNNING',
    )
    return { died, workflow: status.name, ...(await found(service, host, item, window.id)) }
  } finally {
    await temporal.close()
    await host.close()
    await service.close()
  }
}

async function plan(service: TestService, item: number, start: number, end: number) {
  const at = (seconds: number) => new Date(Date.now() + seconds * SECOND).toISOString()
  const window = { scheduled_start_time: at(start), scheduled_end_time: at(end), auto_transition_enabled: true }
  const { status, body } = await service.admin.post('/admin/maintenances', {
    ...{ title: 'Upgrade', affected_items: [{ id: item }] },
    ...window,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { id: body.id as number, start: window.scheduled_start_time, end: window.scheduled_end_time }
}

async function found(service: TestService, host: Host, item: number, id: number) {
  const maintenance = (await service.admin.get(`/admin/maintenances/${id}`)).body
  const { events } = (await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body
  const workflowId = `maintenance:${id}`
  const notes = await notesOf(service, workflowId)
  return {
    entries: maintenance.updates.map((update: { status: string }) => update.status).reverse(),
    notifications: await keysOf(service, id),
    item: events
      .map((event: { previous_status: string; status: string }) => `${event.previous_status} > ${event.status}`)
      .reverse(),
    notes: notes.filter((note) => note.includes(' at its scheduled ')).map((note) => note.split(' at ')[0]!),
    versions: {
      maintenance: maintenance.version,
      item: (await service.admin.get(`/admin/hierarchy/items/${item}`)).body.version,
    },
    unread: await unread(service, workflowId),
    errors: host.errors(),
  }
}
