/** The contract between clients, workers and workflows. Payloads carry ids only: the facts are in PostgreSQL. */

import type { ProcessKind } from './processes.ts'

export const coreQueue = 'core'
/** A queue of its own, so that leases of shards wait for no other kind of work. */
export const checksControlQueue = 'checks-control'
export const beatsQueue = 'beats'
/** Events of other systems may arrive in storms. */
export const inboxQueue = 'inbox'
/** Answers of the agent may wait for a model. */
export const agentQueue = 'agent'

/** Receivers of notifications may be slow. */
export const deliveryQueue = 'delivery'

/** The queues of workflows. A burst of one kind of work delays only its own queue. */
export const workflowQueues = [
  coreQueue,
  beatsQueue,
  checksControlQueue,
  inboxQueue,
  agentQueue,
  deliveryQueue,
] as const

/** The argument of the workflow of a process. */
export interface SubjectOfPage {
  page_id: number
  id: number
}

export interface StepInput extends SubjectOfPage {
  kind: ProcessKind
  /** The workflow's clock at the call, in milliseconds. The step itself reads the clock once its subject is locked. */
  now: number
}

export interface StepOutput {
  done: boolean
  /** The next due moment, in milliseconds; absent if the process waits for a wake-up only. */
  until?: number
  /** What the process waits for, in words. */
  says: string
  /** The argument of the errand that the workflow runs before the next step. */
  errand?: string
}

export interface Steps {
  step(input: StepInput): Promise<StepOutput>
}

/** Each region has its own queue of checks: a burst in one region delays no other region. */
export const checksQueue = (region: string) => `checks.${region}`

/** A shard: up to 250 beats of a region, which one lease checks. */
export interface ShardRef {
  region: string
  shard: number
}

export const shardWorkflow = 'checkShard'
export const shardWorkflowId = ({ region, shard }: ShardRef) => `checks:${region}:${shard}`

/** The activities of a worker of a region. */
export interface Checks {
  runCheck(request: SubjectOfPage): Promise<void>
  /**
   * Ends when the shard is empty, or after so many attempts that the workflow continues as new. A `brief` lease ends at
   * once, which shows the workflow that the region has a worker.
   */
  lease(shard: ShardRef, brief: boolean): Promise<{ empty: boolean }>
}

/** The activities of workflows besides steps. */
export interface Chores {
  giveUpCheck(request: SubjectOfPage & { because: string }): Promise<void>
  /** Marks the overdue beats of the shard as unchecked; returns after how many milliseconds to call again at the latest. */
  regionUnserved(shard: ShardRef): Promise<number>
}

/** Sends what is due: the deliveries of a notification, or the daily mails of a page. */
export interface Deliveries {
  /** `now` is the workflow's clock at the call, in milliseconds. */
  deliver(request: SubjectOfPage & { kind: 'notification' | 'digest'; now: number }): Promise<void>
}

/** The activities of schedules, each for all pages. */
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
