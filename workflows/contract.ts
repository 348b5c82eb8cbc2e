/** What clients, workers and workflows agree on. Payloads carry ids only: the facts are in PostgreSQL. */

export const coreQueue = 'core'
/** The leases of the beats' shards wait for no other kind of work. */
export const checksControlQueue = 'checks-control'
const beatsQueue = 'beats'

/** The queues on which workflows run. A storm of one kind of work delays only its own queue. */
export const workflowQueues = [coreQueue, beatsQueue, checksControlQueue] as const

/**
 * A process is named by its kind and its subject: `incident:17`. Each kind has one workflow. One that has errands does
 * something outside between its steps, so that only the workflow itself can take them.
 */
export const processKinds = {
  incident: { workflow: 'incident', queue: coreQueue, hasErrands: false },
  item: { workflow: 'item', queue: coreQueue, hasErrands: false },
  maintenance: { workflow: 'maintenance', queue: coreQueue, hasErrands: false },
  series: { workflow: 'maintenanceSeries', queue: coreQueue, hasErrands: false },
  beat: { workflow: 'beat', queue: beatsQueue, hasErrands: false },
  'beat-group': { workflow: 'beatGroup', queue: beatsQueue, hasErrands: false },
  check: { workflow: 'check', queue: checksControlQueue, hasErrands: true },
} as const

export type ProcessKind = keyof typeof processKinds

export interface ProcessRef {
  page_id: number
  id: number
}

export interface StepInput extends ProcessRef {
  kind: ProcessKind
  /** The workflow's clock at the call, in milliseconds. The step itself reads the clock once its subject is locked. */
  now: number
}

export interface StepOutput {
  done: boolean
  /** When to look again, in milliseconds; absent when only a wake-up can bring something new. */
  until?: number
  /** What it waits for, in the words of this domain. */
  says: string
  /** Where something outside is to be done before the next look. */
  errand?: string
}

export interface Steps {
  step(input: StepInput): Promise<StepOutput>
}

/** A region's checks have a queue of their own: a storm in one starves no other. */
export const checksQueue = (region: string) => `checks.${region}`

/** Up to a hundred beats of a region, which one lease checks. */
export interface ShardRef {
  region: string
  shard: number
}

export const shardWorkflow = 'checkShard'
export const shardWorkflowId = ({ region, shard }: ShardRef) => `checks:${region}:${shard}`

/** What a worker of a region does. */
export interface Checks {
  runCheck(request: ProcessRef): Promise<void>
  /**
   * Ends when there is nothing left to check, or after so many attempts that its workflow wants a new run; a `brief` one
   * as soon as it has begun, so that its workflow learns that somebody is there.
   */
  lease(shard: ShardRef, brief: boolean): Promise<{ empty: boolean }>
}

/** What workflows have done besides steps. */
export interface Chores {
  giveUpCheck(request: ProcessRef & { because: string }): Promise<void>
  /** Says so at the beats that are overdue; answers after how many milliseconds it is to be said again, at the latest. */
  regionUnserved(shard: ShardRef): Promise<number>
}

/** What is done for all pages at once, at its time. */
export interface Jobs {
  rollUpBeats(): Promise<void>
  prune(): Promise<void>
}

/** By the id of the schedule. */
export const jobs = {
  'beat-rollup': { workflow: 'beatRollup', every: '1 minute' },
  retention: { workflow: 'retention', every: '1 hour' },
} as const

export const wakeSignal = 'wake'
export const ringUpdate = 'ring'
export const stateQuery = 'state'

export function parseWorkflowId(workflowId: string): { kind: ProcessKind; id: number } | undefined {
  const [kind, id, ...rest] = workflowId.split(':')
  if (!kind || !(kind in processKinds) || !id || !/^\d+$/.test(id) || rest.length > 0) return undefined
  return { kind: kind as ProcessKind, id: Number(id) }
}
