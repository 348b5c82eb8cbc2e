import type { Logger } from 'pino'
import type { Orm } from '../../persistence/orm.ts'
import type { ChatModel } from '../agent/model/chat-model.ts'
import type { Evaluator } from '../evaluation/evaluator.ts'
import type { Passwords } from '../pages/access/passwords.ts'
import type { CrashPoint } from './crash-points.ts'
import type { Keyring } from './keyring.ts'
import type { AnyOperation } from './operation.ts'
import type { ProcessOfPage } from './processes.ts'

/** Wakes processes after a commit. Never throws; the scan of the relay finds wake-ups that were lost. */
export interface Wakeups {
  wakeProcesses(processes: ProcessOfPage[]): void
}

/** The ports of the service's own servers: its PostgreSQL, its Temporal, its metrics. No check connects to them. */
export interface OwnPorts {
  /** `host` is a name as in a target, or an address in its canonical spelling. */
  includes(host: string, port: number): boolean
}

/** The services that the programs pass to the domain. */
export interface Services {
  app: Orm
  system: Orm
  wakeups: Wakeups
  logger: Logger
  clock: () => Date
  /** Called after each commit that changed a page, so that the public snapshot of the page is rebuilt. */
  pageChanged: (pageId: number) => void
  /** Called after each commit that changed names, hosts or the access of a page. */
  directoryChanged: () => void
  /** Work that no request waits for. A service that closes waits for its end; a failure is only logged. */
  inBackground: (work: Promise<unknown>, failure: string) => void
  observeOperation: (name: string, outcome: string, seconds: number) => void
  /** Receives the time between each wake-up and its step. */
  observeWakeup: (seconds: number) => void
  /** Encrypts values that the service uses and never shows. */
  keyring: Keyring
  /** Hashes the passwords of viewers. */
  passwords: Passwords
  /** The addresses that beats may connect to: with `public` only addresses of the public internet. */
  beatTargets: 'any' | 'public'
  /** Compiles and evaluates programs of users, such as regular expressions. */
  evaluator: Evaluator
  /** The ports of the service's own servers, which no beat may connect to. */
  ownPorts: OwnPorts
  /** The regions that this process serves; the first is the default. */
  regions: string[]
  /** Whether this machine has a program, which the checks of some types need. */
  hasProgram: (name: string) => Promise<boolean>
  /** For how many days results of checks, accepted events, turns of the agent, and audit rows and notes, are stored. Without `auditDays` these stay forever. */
  /** A notification that was never tried is not sent after this time. */
  maxAgeMs: number
  keep: {
    resultDays: number
    eventDays: number
    turnDays: number
    notificationDays: number
    auditDays?: number | undefined
  }
  operations: Operations
  /** The model that answers messages for the agent; null: the built-in planner does. */
  model: ChatModel | null
  /** How long a plan waits for its confirmation. */
  planTtlMs: number
  baseUrl: string
  baseDomain: string | undefined
  /** The length of a minute of a reminder; tests shorten the minute. */
  minuteMs: number
  /** Tests kill the process at a crash point. */
  reached: (point: CrashPoint) => void
  /** Tests validate every answer with its schema. */
  checkOutputs: boolean
}

/** The operations of all routes that need a token, by name. */
export interface Operations {
  load(): Promise<void>
  /** This and the others fail before `load`. */
  get(name: string): AnyOperation | undefined
  keys(): Iterable<string>
  values(): Iterable<AnyOperation>
}
