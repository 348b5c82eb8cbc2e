import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { type StepOutput, stateQuery } from '../../workflows/contract.ts'
import type { Temporal } from './client.ts'

/** What Temporal itself knows of a process: its newest run, while that is retained. */
export interface Inspection {
  /** `forgotten`: never started, or not retained any more. */
  status: 'answered' | 'forgotten' | 'away'
  /** What the workflow answers to its `state` query; null when no worker answers for it. */
  state?: { done: boolean; says: string; until?: string } | null
  history?: Record<string, unknown>[]
}

const DEADLINE_MS = 2000
const NOT_FOUND = 5

export async function inspectProcess({ client }: Temporal, workflowId: string): Promise<Inspection> {
  const handle = client.workflow.getHandle(workflowId)
  const within = <T>(call: () => Promise<T>) => client.withDeadline(Date.now() + DEADLINE_MS, call)
  const state = within(() => handle.query<StepOutput>(stateQuery)).catch(() => null)
  try {
    const history = await within(() => handle.fetchHistory())
    const { events } = JSON.parse(historyToJSON(history)) as { events: Record<string, unknown>[] }
    return { status: 'answered', state: present(await state), history: events }
  } catch (error) {
    return { status: isForgotten(error) ? 'forgotten' : 'away' }
  }
}

function present(state: StepOutput | null): Inspection['state'] {
  if (!state) return null
  const { until, ...rest } = state
  return { ...rest, ...(until === undefined ? {} : { until: new Date(until).toISOString() }) }
}

function isForgotten(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || (isGrpcServiceError(error) && error.code === NOT_FOUND)
}
