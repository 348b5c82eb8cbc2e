import type { Logger } from 'pino'
import type { Orm } from '../../persistence/orm.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import type { CrashPoint } from './crash-points.ts'
import type { Keyring } from './keyring.ts'

/** Rings processes: the relay in a running service. Never throws; what it misses, its scan finds. */
export interface Bell {
  ring(workflows: { workflowId: string; pageId: number }[]): void
}

/** The ports of the service's own servers: its PostgreSQL, its Temporal, its metrics. No check connects to them. */
export interface OwnPorts {
  /** `host` is a name, as it is written in a target, or an address in its canonical spelling. */
  includes(host: string, port: number): boolean
}

/** What the domain is handed by the composition roots. */
export interface Services {
  app: Orm
  system: Orm
  bell: Bell
  logger: Logger
  clock: () => Date
  /** Told after each commit that changed a page, so that its public snapshot is made anew. */
  pageChanged: (pageId: number) => void
  observeOperation: (name: string, outcome: string, seconds: number) => void
  /** Told how long each wake-up waited for the step that read it. */
  observeWakeup: (seconds: number) => void
  /** Seals what is written and used but never shown. */
  keyring: Keyring
  /** Whom beats may reach: with `public` only what is on the public internet. */
  beatTargets: 'any' | 'public'
  /** Compiles and evaluates what users supply as a program. */
  evaluator: Evaluator
  /** The ports of the service's own servers, which no beat may reach. */
  ownPorts: OwnPorts
  /** Those that this process serves, the first being the one where nothing else is said. */
  regions: string[]
  /** Whether this machine has a program for beats of the type ping. */
  canPing: () => Promise<boolean>
  /** For how many days results of checks are kept, and what was done and why; that for ever, unless it is said. */
  keep: { resultDays: number; auditDays?: number | undefined }
  baseUrl: string
  baseDomain: string | undefined
  /** How long a minute of a reminder lasts; tests shorten it. */
  minuteMs: number
  /** Tests let a process die there. */
  reached: (point: CrashPoint) => void
  /** Tests hold every answer against its schema. */
  checkOutputs: boolean
}
