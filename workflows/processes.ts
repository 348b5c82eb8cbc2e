import { agentQueue, beatsQueue, checksControlQueue, coreQueue, deliveryQueue, inboxQueue } from './contract.ts'

/**
 * The kinds of processes, declared once. Each kind has one workflow. Only the workflow can take the steps of a kind with
 * errands, because the workflow runs the errands between the steps.
 */
export const processKinds = {
  incident: { workflow: 'incident', queue: coreQueue, hasErrands: false },
  item: { workflow: 'item', queue: coreQueue, hasErrands: false },
  maintenance: { workflow: 'maintenance', queue: coreQueue, hasErrands: false },
  series: { workflow: 'maintenanceSeries', queue: coreQueue, hasErrands: false },
  beat: { workflow: 'beat', queue: beatsQueue, hasErrands: false },
  'beat-group': { workflow: 'beatGroup', queue: beatsQueue, hasErrands: false },
  inbox: { workflow: 'inbox', queue: inboxQueue, hasErrands: false },
  'ingest-token': { workflow: 'ingestToken', queue: coreQueue, hasErrands: false },
  delegation: { workflow: 'delegation', queue: agentQueue, hasErrands: false },
  plan: { workflow: 'actionPlan', queue: agentQueue, hasErrands: false },
  notification: { workflow: 'notification', queue: deliveryQueue, hasErrands: true },
  digest: { workflow: 'digest', queue: deliveryQueue, hasErrands: true },
  check: { workflow: 'check', queue: checksControlQueue, hasErrands: true },
} as const satisfies Record<string, Kind>

interface Kind {
  /** The compiler asks for its export. */
  workflow: keyof typeof import('./index.ts')
  queue: string
  hasErrands: boolean
}

export type ProcessKind = keyof typeof processKinds

/** A process, by its kind and the id of its subject. */
export interface ProcessRef {
  kind: ProcessKind
  id: number
}

/** The id of a process as a text, for Temporal, the database and the API: `incident:17`. */
export function workflowIdOf({ kind, id }: ProcessRef): string {
  return `${kind}:${id}`
}

export function parseWorkflowId(workflowId: string): ProcessRef | undefined {
  const [, kind, id] = /^([^:]+):(\d+)$/.exec(workflowId) ?? []
  if (!kind || !Object.hasOwn(processKinds, kind)) return undefined
  return { kind: kind as ProcessKind, id: Number(id) }
}
