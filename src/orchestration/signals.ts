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
  if (!parsed) throw new Error(`"${workflowId}" names no kind of process`)
  const { workflow, queue } = processKinds[parsed.kind]
  const options = {
    workflowId,
    taskQueue: queue,
    args: [{ page_id: pageId, id: parsed.id }],
    staticSummary: `${parsed.kind} ${parsed.id} of page ${pageId}`,
  }
  return { workflow, options }
}

/** Starts the process if it is not running, and tells it to look. */
export async function signalWake({ client }: Temporal, target: Target): Promise<void> {
  const { workflow, options } = startOptions(target)
  await client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.signalWithStart(workflow, { ...options, signal: wakeSignal, signalArgs: [] }),
  )
}

/** A doorbell: returns once the process has looked, or gives up. What it found out is in the database either way. */
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
