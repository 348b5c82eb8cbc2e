import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ensureNamespace, openTemporal, type Temporal } from '../../src/orchestration/client.ts'
import { type Assigner, startAssigner } from '../../src/orchestration/shards.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { shardWorkflowId } from '../../workflows/contract.ts'
import { testServers } from '../support/servers.ts'
import { insertBeats } from '../support/shards.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let temporal: Temporal
let assigner: Assigner | undefined
beforeAll(async () => {
  service = await openTestService()
  temporal = openTemporal(testServers().temporalAddress, `test-${crypto.randomUUID()}`)
})
afterAll(async () => {
  await assigner?.close()
  await temporal?.close()
  await service?.close()
})

const idOf = (shard: number) => shardWorkflowId({ region: 'local', shard })

const stateOf = (shard: number) =>
  temporal.client.workflow
    .getHandle(idOf(shard))
    .describe()
    .then(
      ({ status }) => status.name,
      () => 'unknown',
    )

test('shards whose workflow could not be started are started later, and more shards than a worker can hold are logged', async () => {
  const metrics = createMetrics()
  const warned: unknown[] = []
  const logger = Object.assign(Object.create(service.services.logger), { warn: (what: unknown) => warned.push(what) })
  // The namespace does not exist yet, so that no workflow can start.
  const options = { ...service.services, temporal, logger, metrics, everythingEveryMs: 3_600_000 }
  assigner = startAssigner({ ...options, slots: 1 })
  await insertBeats(service.services, service.page.id, 501)
  await until(
    () => service.services.system.em.fork().execute<object[]>('select from check_shard'),
    ({ length }) => length === 2,
  )
  // A server knows a new namespace only after some time, and refuses calls before.
  await until(
    () => ensureNamespace(temporal).catch(({ code }) => code),
    (id) => typeof id === 'string',
  )
  await until(
    async () => [await stateOf(0), await stateOf(1)].join(),
    (states) => states === 'RUNNING,RUNNING',
  )
  await assigner.everything()
  expect(warned).toEqual([{ region: 'local', count: 2, slots: 1 }])
  expect(await metrics.registry.getSingleMetricAsString('upbeat_check_shards')).toContain('{region="local"} 2')
})
