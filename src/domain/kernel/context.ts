import type { EntityManager } from '@mikro-orm/postgresql'
import type { NewEvent } from '../../persistence/notifications.ts'
import type { DirectoryPage } from '../../persistence/system/directory.ts'
import type { CrashPoint } from './crash-points.ts'
import type { Keyring } from './keyring.ts'
import type { Credentials } from './permissions.ts'
import type { OwnPorts } from './services.ts'

/** A page as the directory has it. */
export type PageRef = DirectoryPage

/** The actor of an operation: a token, the public, or the service itself. */
export type Actor =
  | ({ kind: 'token'; id: number; name: string } & Credentials)
  | { kind: 'anonymous'; name: string }
  | ({ kind: 'system'; name: string } & Credentials)

/** The context of an operation: one isolated transaction, and the services that the operation uses. */
export interface Context {
  tx: EntityManager
  page: PageRef
  actor: Actor
  requestId: string
  now: Date
  clock(): Date
  /** The length of a minute of a reminder. */
  minuteMs: number
  keyring: Keyring
  beatTargets: 'any' | 'public'
  ownPorts: OwnPorts
  regions: string[]
  canPing(): Promise<boolean>
  /** The beginning of links in answers. */
  baseUrl: string
  baseDomain: string | undefined
  /** The hash of the request before parsing filled in defaults; recognizes retries. */
  requestHash: string
  /** The hash that a new record stores of its request; `findRepeated` adds the hash of the request without its defaults. */
  createHash: string
  /** Wakes the process once the transaction has committed; the reason appears in the history of the process. */
  wake(workflowId: string, reason: string): void
  reached(point: CrashPoint): void
  /** Notifications, which are written at the end of the operation. Use `announce`. */
  events: NewEvent[]
  /** Changes outside the fields of the subject, such as its translations; part of the audit row. */
  auditExtras: Record<'before' | 'after', Record<string, unknown>>
  /** The read-only fields of the request that are not compared with the stored record yet. */
  readOnly: Record<string, unknown>
  /** The record existed and stays unchanged: the answer is 200 rather than 201. */
  existing(): void
  /** The record existed and was changed: the answer is 200, with an audit row. */
  revised(): void
}
