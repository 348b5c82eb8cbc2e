import { setTimeout as sleep } from 'node:timers/promises'
import { openTemporal } from '../../src/orchestration/client.ts'
import { type BenchService, NAMESPACE, type Say } from './bench-service.ts'

interface Where {
  address: string
  post: (path: string, body: object) => Promise<{ id: number }>
  say: Say
}

const REMINDERS = 20
const MINUTE_MS = 1000

/** What one reminder adds to the state transitions of its workflow, with a minute that lasts a second. */
export async function transitionsPerReminder(service: BenchService, { address, post, say }: Where): Promise<number> {
  await service.startWorker({ TEMPORAL_ADDRESS: address, TEST_MINUTE_MS: String(MINUTE_MS) })
  const { id } = await post('/incidents', { title: 'Webhooks arrive late', reminder_interval_minutes: 1 })
  const temporal = openTemporal(address, NAMESPACE)
  const written = async () => {
    const { rows } = await service.database.query(
      `select count(*)::int as count from notification_event where subject_id = $1 and key = 'incident.reminder'`,
      [id],
    )
    return rows[0].count as number
  }
  /** Between two reminders, when Temporal has recorded the last one and no step runs. */
  const after = async (count: number) => {
    while ((await written()) < count) await sleep(50)
    await sleep(MINUTE_MS / 3)
    const { raw } = await temporal.client.workflow.getHandle(`incident:${id}`).describe()
    return { reminders: await written(), transitions: Number(raw.workflowExecutionInfo?.stateTransitionCount) }
  }
  say(`Waiting for ${REMINDERS} reminders`)
  const first = await after(3)
  const last = await after(first.reminders + REMINDERS)
  await temporal.close()
  return (last.transitions - first.transitions) / (last.reminders - first.reminders)
}
