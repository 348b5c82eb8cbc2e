import { WithStartWorkflowOperation } from '@temporalio/client'
import { parseWorkflowId, processKinds, ringUpdate, wakeSignal } from '../../workflows/contract.ts'
import type { Temporal } from './client.ts'

export interface Target {
  workflowId: string
  pageId: number
}

const DEADLINE_MS = 2000

function startOptions({ workflowId, pageId }: Target) {
  const parsed = parseWorkflowId(workflowId)
  if (!parsed) throw new Error(`"${workflowId}" is not the id of a process: its kind is unknown`)
  const { workflow, queue } = processKinds[parsed.kind]
  const options = {
    workflowId,
    taskQueue: queue,
    args: [{ page_id: pageId, id: parsed.id }],
    staticSummary: `${parsed.kind} ${parsed.id} of page ${pageId}`,
  }
  return { workflow, options }
}

/** Starts the workflow if it is not running, and signals a wake-up. */
export async function signalWake({ client }: Temporal, target: Target): Promise<void> {
  const { workflow, options } = startOptions(target)
  await client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.signalWithStart(workflow, { ...options, signal: wakeSignal, signalArgs: [] }),
  )
}

/** Returns after a step of the process, or at the deadline. The outcome of the step is in the database. */
export async function ringDoorbell({ client }: Temporal, target: Target, deadline: number): Promise<void> {
  const { workflow, options } = startOptions(target)
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
