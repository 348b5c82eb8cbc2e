import type { Logger } from 'pino'
import type { Actor } from '../domain/kernel/context.ts'
import type { Body } from './answers/bodies.ts'
import type { Sent } from './answers/send-body.ts'
import type { Validity } from './public-reads.ts'

/** The state of a request that middleware sets. */
export interface ApiState {
  requestId: string
  logger: Logger
  /** The caller, and the page of its token. */
  caller?: { actor: Actor; pageId?: number }
  /** The route, for metrics. */
  route?: string
  /** The snapshot that was sent. */
  sent?: Sent & { body: Body; type: string; validity: Validity }
}
