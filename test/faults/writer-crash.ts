import type { CrashPoint } from '../../src/domain/kernel/crash-points.ts'
import { actionsOf, incidentsOf, openly } from '../support/acting.ts'
import { databaseUrlOf } from '../support/administrator.ts'
import { unread } from '../support/incidents.ts'
import { makeItem } from '../support/maintenances.ts'
import { testServers } from '../support/servers.ts'
import { openTestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { openHost } from './host.ts'

/** What must be there in the end, wherever the API died. */
export const openedOnce = {
  died: 'SIGKILL',
  actions: ['open executed'],
  incidents: [{ status: 'major_outage', version: 1 }],
  errors: [] as string[],
}

/**
 * A heartbeat reports a failure to an API that is killed at this point: before, within or after the step of the beat,
 * which the API takes itself after its commit. A worker then does what the API has not.
 */
export async function writerCrash(point: CrashPoint): Promise<typeof openedOnce> {
  const service = await openTestService()
  const { temporalAddress } = testServers()
  const host = openHost({ DATABASE_URL: await databaseUrlOf(service), TEMPORAL_ADDRESS: temporalAddress })
  try {
    const item = await makeItem(service, 'Backups')
    const { status, body } = await service.admin.post('/admin/beats', {
      ...{ name: 'Nightly backup', type: 'heartbeat', target: { period_seconds: 3600 } },
      ...{ component_ids: [item], action_policies: openly },
    })
    if (status !== 201) throw new Error(JSON.stringify(body))
    const api = host.startApi({ TEST_CRASH_AT: `${point}@${new Date(0).toISOString()}` })
    const url = `http://127.0.0.1:${await api.port}/api/v1/heartbeats/${body.heartbeat_url.split('/').at(-1)}/fail`
    // Whether the answer comes before the end is left to chance. On a busy machine it may be that the database is away.
    await until(
      () =>
        fetch(url, { method: 'POST' }).then(
          ({ status }) => status,
          () => 'broken off',
        ),
      (answer) => answer !== 503,
    )
    const died = await api.ended
    host.startWorker()
    await until(
      async () => [await unread(service, `beat:${body.id}`), (await actionsOf(service, body.id)).length],
      ([waiting, actions]) => waiting === 0 && actions === 1,
    )
    const incidents = await incidentsOf(service, body.id)
    return {
      died,
      actions: (await actionsOf(service, body.id)).map(
        ({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`,
      ),
      incidents: incidents.map(({ status, version }) => ({ status, version })),
      errors: host.errors(),
    }
  } finally {
    await host.close()
    await service.close()
  }
}
