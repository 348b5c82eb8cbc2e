import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from '@temporalio/worker'
import type { CheckContext } from '../../activities/checks/contract.ts'
import { checkFor } from '../../activities/checks/index.ts'
import { openEvaluator } from '../../src/domain/evaluation/evaluator.ts'
import { SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { storeResults } from '../../src/persistence/system/beat-results.ts'
import type { PlainActivities } from './plain-workflow.ts'

/** A worker of the plain workflow: each check is an activity, and stores its own result. */
const { DATABASE_URL, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, URL: url = '', PAGE } = process.env
const system = await openOrm({ url: DATABASE_URL!, role: SYSTEM_ROLE, poolMax: 4, name: 'upbeat-plain' })
const check = checkFor('http')
const evaluator = openEvaluator()
const evaluate: CheckContext['evaluate'] = (evaluation) => evaluator.evaluate(1, evaluation)
const never = new AbortController().signal

const activities: PlainActivities = {
  async checkOnce(beatId) {
    const at = new Date()
    const {
      ok,
      latency_ms,
      status_code = null,
      evidence,
    } = await check(
      { url },
      { signal: never, timeout_ms: 1000, guard: 'any', own_ports: { includes: () => false }, evaluate },
    )
    const seen = { ok, latency_ms, status_code, evidence, packet_loss: null, certificate_days: null }
    const row = {
      beat_id: beatId,
      page_id: Number(PAGE),
      region: 'local',
      slot: null,
      target_number: 0,
      due_at: at,
      at,
      ...seen,
    }
    await storeResults(system, [row])
  },
}

const workflowsPath = fileURLToPath(new globalThis.URL('./plain-workflow.ts', import.meta.url))
const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') })
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: TEMPORAL_ADDRESS }),
  namespace: TEMPORAL_NAMESPACE,
  taskQueue: 'plain',
  workflowBundle,
  activities,
  maxCachedWorkflows: 2000,
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: {} })
await worker.run()
