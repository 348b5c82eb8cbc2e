import type { Logger } from 'pino'
import type { Actor } from '../domain/kernel/context.ts'

/** What middleware learns about a request on its way in. */
export interface ApiState {
  requestId: string
  logger: Logger
  /** Who asks, and the page their token belongs to. */
  caller?: { actor: Actor; pageId?: number }
  /** The route that answers, for metrics. */
  route?: string
}
