import type { EntityManager } from '@mikro-orm/postgresql'
import type { NewEvent } from '../../persistence/notifications.ts'
import type { DirectoryPage } from '../../persistence/system/directory.ts'
import type { CrashPoint } from './crash-points.ts'
import type { Keyring } from './keyring.ts'
import type { Credentials } from './permissions.ts'
import type { OwnPorts } from './services.ts'

/** The page that something is about, as the directory knows it. */
export type PageRef = DirectoryPage

/** Who acts: a token, the public, or the service itself. */
export type Actor =
  | ({ kind: 'token'; id: number; name: string } & Credentials)
  | { kind: 'anonymous'; name: string }
  | ({ kind: 'system'; name: string } & Credentials)

/** What an operation may use while it runs: one transaction behind one page's wall. */
export interface Context {
  tx: EntityManager
  page: PageRef
  actor: Actor
  requestId: string
  now: Date
  clock(): Date
  /** How long a minute of a reminder lasts. */
  minuteMs: number
  keyring: Keyring
  beatTargets: 'any' | 'public'
  ownPorts: OwnPorts
  regions: string[]
  canPing(): Promise<boolean>
  /** Links in answers start here. */
  baseUrl: string
  baseDomain: string | undefined
  /** What the client's request said, before parsing filled in defaults; hashed for retries. */
  requestHash: string
  /** What a record keeps of the request that creates it; `repeated` adds the hash of the request without its defaults. */
  createHash: string
  /** Rings `workflowId` once the transaction has committed; the reason is what its history will say. */
  wake(workflowId: string, reason: string): void
  reached(point: CrashPoint): void
  /** What people are to be told; written when the operation closes. Use `announce`. */
  events: NewEvent[]
  /** What changed that is in no field of the subject, such as what it says in other languages; told with its audit row. */
  beside: Record<'before' | 'after', Record<string, unknown>>
  /** The read-only fields of the request that have not been compared with the stored record yet. */
  readOnly: Record<string, unknown>
  /** Says that the record existed and nothing was done: the answer is 200 rather than 201. */
  existing(): void
  /** Says that the record existed and was changed: the answer is 200, too, and the audit tells it. */
  revised(): void
}
