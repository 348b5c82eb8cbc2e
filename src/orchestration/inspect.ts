import { isGrpcServiceError, WorkflowNotFoundError } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { type StepOutput, stateQuery } from '../../workflows/contract.ts'
import type { Temporal } from './client.ts'

/** The newest run of a process in Temporal, while Temporal retains the run. */
export interface Inspection {
  /** `forgotten`: never started, or no longer retained. */
  status: 'answered' | 'forgotten' | 'away'
  /** The answer of the workflow to its `state` query; null without a worker that answers. */
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
