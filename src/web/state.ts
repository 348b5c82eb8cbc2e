import type { Logger } from 'pino'
import type { Actor, PageRef } from '../domain/kernel/context.ts'
import type { Body } from './answers/bodies.ts'
import type { Sent } from './answers/send-body.ts'
import type { Readers } from './feed-readers.ts'
import type { Validity } from './public-reads.ts'

/** The state of a request that middleware sets. */
export interface ApiState {
  requestId: string
  logger: Logger
  /** The caller, and the page of its token. */
  caller?: { actor: Actor; pageId?: number }
  /** The part of the path before the path of the route: `/status/{public_slug}`, or empty. Links of the page start with it. */
  base: string
  /** The slug in the path, which names the page. */
  publicSlug?: string
  /** The valid access link in the address. */
  accessToken?: string
  /** The page that the reader may not read without its password. */
  lockedPage?: PageRef
  /** The view of the answer is for certain readers: this reader is one of them, or not. */
  viewReader?: 'inside' | 'outside'
  /** The original language of the page, where the reader wants another one that the page offers. */
  originalLanguage?: string
  /** The readers of the feed that was sent. */
  readers?: Readers
  /** The fields of the form that was sent. */
  form?: URLSearchParams
  /** The route, for metrics. */
  route?: string
  /** The snapshot that was sent. */
  sent?: Sent & { body: Body; type: string; validity: Validity }
}
