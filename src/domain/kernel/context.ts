import type { DirectoryPage } from '../../persistence/system/directory.ts'
import type { Link } from '../subscribers/link-rules.ts'
import type { Credentials } from './permissions.ts'
import type { Services } from './services.ts'
import type { WorkContext } from './work-context.ts'

/** A page as the directory has it. */
export type PageRef = DirectoryPage

/** The actor of an operation: a token, the public, which includes a subscriber with a link, or the service itself. */
export type Actor =
  | ({ kind: 'token'; id: number; name: string } & Credentials)
  | {
      kind: 'anonymous'
      name: string
      link?: Link
      /** The page that this reader was admitted to, by a password or an access link. */
      mayRead?: number
    }
  | ({ kind: 'system'; name: string } & Credentials)

/** The context of an operation: its unit of work, and the services that the operation may use. */
export interface Context extends WorkContext {
  page: PageRef
  actor: Actor
  requestId: string
  services: Pick<
    Services,
    | 'evaluator'
    | 'keyring'
    | 'passwords'
    | 'beatTargets'
    | 'model'
    | 'ownPorts'
    | 'regions'
    | 'hasProgram'
    | 'baseUrl'
    | 'baseDomain'
    | 'operations'
    | 'planTtlMs'
  >
  /** The hash of the request before parsing filled in defaults; recognizes retries. */
  requestHash: string
  /** The id of a new record that the answer does not name, for the audit row. */
  made?: number
  /** The hash that a new record stores of its request; `findRepeated` adds the hash of the request without its defaults. */
  createHash: string
  /** Changes outside the fields of the subject, such as its translations; part of the audit row. */
  auditExtras: Record<'before' | 'after', Record<string, unknown>>
  /** The read-only fields of the request that are not compared with the stored record yet. */
  readOnly: Record<string, unknown>
  /** The record existed and stays unchanged: the answer is 200 rather than 201. */
  existing(): void
  /** The record existed and was changed: the answer is 200, with an audit row. */
  revised(): void
}
