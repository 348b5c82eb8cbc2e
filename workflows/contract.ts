/** What clients, workers and workflows agree on. Payloads carry ids only: the facts are in PostgreSQL. */

export const coreQueue = 'core'

/** A process is named by its kind and its subject: `incident:17`. Each kind has one workflow. */
export const processKinds = {
  incident: { workflow: 'incident', queue: coreQueue },
  item: { workflow: 'item', queue: coreQueue },
  maintenance: { workflow: 'maintenance', queue: coreQueue },
  series: { workflow: 'maintenanceSeries', queue: coreQueue },
  beat: { workflow: 'beat', queue: coreQueue },
} as const

export type ProcessKind = keyof typeof processKinds

export interface ProcessRef {
  page_id: number
  id: number
}

export interface StepInput extends ProcessRef {
  kind: ProcessKind
  /** Temporal's clock, in milliseconds: the only clock that due logic knows. */
  now: number
}

export interface StepOutput {
  done: boolean
  /** When to look again, in milliseconds; absent when only a wake-up can bring something new. */
  until?: number
  /** What it waits for, in the words of this domain. */
  says: string
}

export interface Steps {
  step(input: StepInput): Promise<StepOutput>
}

export const wakeSignal = 'wake'
export const ringUpdate = 'ring'
export const stateQuery = 'state'

export function parseWorkflowId(workflowId: string): { kind: ProcessKind; id: number } | undefined {
  const [kind, id, ...rest] = workflowId.split(':')
  if (!kind || !(kind in processKinds) || !id || !/^\d+$/.test(id) || rest.length > 0) return undefined
  return { kind: kind as ProcessKind, id: Number(id) }
}
