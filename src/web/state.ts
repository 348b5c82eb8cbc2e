import type { Logger } from 'pino'
import type { Actor } from '../domain/kernel/context.ts'

/** The state of a request that middleware sets. */
export interface ApiState {
  requestId: string
  logger: Logger
  /** The caller, and the page of its token. */
  caller?: { actor: Actor; pageId?: number }
  /** The route, for metrics. */
  route?: string
}
