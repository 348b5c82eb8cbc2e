import { WithStartWorkflowOperation } from '@temporalio/client'
import { ringUpdate, wakeSignal } from '../../workflows/contract.ts'
import { processKinds, workflowIdOf } from '../../workflows/processes.ts'
import type { ProcessOfPage } from '../domain/kernel/processes.ts'
import type { Temporal } from './client.ts'

const DEADLINE_MS = 2000

function startOptions({ kind, id, pageId }: ProcessOfPage) {
  const { workflow, queue } = processKinds[kind]
  const options = {
    workflowId: workflowIdOf({ kind, id }),
    taskQueue: queue,
    args: [{ page_id: pageId, id }],
    staticSummary: `${kind} ${id} of page ${pageId}`,
  }
  return { workflow, options }
}

/** Starts the workflow if it is not running, and signals a wake-up. */
export async function signalWake({ client }: Temporal, process: ProcessOfPage): Promise<void> {
  const { workflow, options } = startOptions(process)
  await client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.signalWithStart(workflow, { ...options, signal: wakeSignal, signalArgs: [] }),
  )
}

/** Returns after a step of the process, or at the deadline. The outcome of the step is in the database. */
export async function requestStep({ client }: Temporal, process: ProcessOfPage, deadline: number): Promise<void> {
  const { workflow, options } = startOptions(process)
  const startWorkflowOperation = new WithStartWorkflowOperation(workflow, {
    ...options,
    workflowIdConflictPolicy: 'USE_EXISTING',
  })
  await client
    .withDeadline(deadline, () =>
      client.workflow.executeUpdateWithStart(ringUpdate, { args: [], startWorkflowOperation }),
    )
    .catch(() => {})
}
