import type { Logger } from 'pino'
import type { Orm } from '../../persistence/orm.ts'
import type { CrashPoint } from './crash-points.ts'
import type { Keyring } from './keyring.ts'

/** Rings processes: the relay in a running service. Never throws; what it misses, its scan finds. */
export interface Bell {
  ring(workflows: { workflowId: string; pageId: number }[]): void
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
