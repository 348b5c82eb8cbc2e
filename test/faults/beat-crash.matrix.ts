import { expect, test } from '@jest/globals'
import type { CrashPoint } from '../../src/domain/kernel/crash-points.ts'
import { actingBeat, actionsOf, bannersOf, incidentsOf, see } from '../support/acting.ts'
import { databaseUrlOf } from '../support/administrator.ts'
import { unread } from '../support/incidents.ts'
import { testServers } from '../support/servers.ts'
import { storedBeat } from '../support/stored-beats.ts'
import { openTestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { openHost } from './host.ts'

/** An outage whose worker is killed at this point of its step, after which another worker starts. */
async function outage(point: CrashPoint) {
  const service = await openTestService()
  const { temporalAddress } = testServers()
  const host = openHost({ DATABASE_URL: await databaseUrlOf(service), TEMPORAL_ADDRESS: temporalAddress })
  const settled = (id: number, number: number) =>
    until(
      () => storedBeat(service, id),
      ({ settled_number }) => settled_number === number,
    )
  try {
    const { id } = await actingBeat(service)
    await see(service, id, 'critical')
    const first = host.startWorker({ TEST_CRASH_AT: `${point}@${new Date(0).toISOString()}` })
    const died = await first.ended
    await host.startWorker().ready
    await settled(id, 2)
    const banners = await bannersOf(service, id)
    await see(service, id, 'healthy')
    await settled(id, 3)
    await until(
      () => unread(service, `beat:${id}`),
      (count) => count === 0,
    )
    const incidents = await incidentsOf(service, id)
    return {
      died,
      banners: banners.length,
      incidents: incidents.map(({ status, version, updates }) => ({ status, version, updates: updates.length })),
      actions: (await actionsOf(service, id)).map(
        ({ state, kind }: { state: string; kind: string }) => `${kind} ${state}`,
      ),
      errors: host.errors(),
    }
  } finally {
    await host.close()
    await service.close()
  }
}

const once = {
  ...{ died: 'SIGKILL', banners: 1, actions: ['open executed', 'resolve executed'], errors: [] },
  incidents: [{ status: 'resolved', version: 2, updates: 1 }],
}

test.concurrent('a worker that is killed before it commits an incident opens none, and the next worker opens it', async () => {
  expect(await outage('entry written')).toEqual(once)
})

test.concurrent('a worker that is killed after it committed the incident of an outage has opened the incident once', async () => {
  expect(await outage('step committed')).toEqual(once)
})
