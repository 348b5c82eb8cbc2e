import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import { Problem } from '../domain/kernel/errors.ts'
import { isOpen } from '../domain/kernel/open-page.ts'
import { sendBody } from './answers/send-body.ts'
import { withStaleLine } from './answers/stale-line.ts'
import { allowCaching } from './headers.ts'
import { askedPath } from './page-path.ts'
import type { Made, PublicReads } from './public-reads.ts'
import type { ApiState } from './state.ts'

/** From this age on, a document shows that its state may be outdated. */
const STALE_MS = 60_000

/** Answers from the page's snapshot. */
export async function serveSnapshot(
  ctx: Context & { state: ApiState },
  reads: PublicReads,
  page: PageRef,
  make: () => Promise<Made>,
  since?: number,
): Promise<void> {
  const { viewReader, originalLanguage } = ctx.state
  const isForAll = isOpen(page) && viewReader === undefined
  const read = (query: URLSearchParams, produce: () => Promise<Made>) => {
    query.sort()
    const key = `${askedPath(ctx)}?${query}${viewReader === undefined ? '' : `#${viewReader}`}`
    return reads.read(page.id, key, produce, { since, isShared: isForAll })
  }
  const {
    body: computed,
    headers,
    validity,
    at,
    isOutdated = false,
  } = await read(new URLSearchParams(ctx.querystring), make).catch((error) => {
    // Without the database, an answer in another language is worth more than none.
    if (!(error instanceof Problem) || error.code !== 'unavailable' || originalLanguage === undefined) throw error
    return read(new URLSearchParams({ ...ctx.query, locale: originalLanguage }), () => Promise.reject(error))
  })
  const body = isOutdated && Date.now() - at > STALE_MS ? withStaleLine(computed) : computed
  ctx.set(headers)
  if (isOutdated) ctx.set('X-Snapshot-At', new Date(at).toISOString())
  allowCaching(ctx, isForAll ? 'public, no-cache' : 'private, no-cache')
  const sent = await sendBody(ctx, body)
  ctx.state.sent = { ...sent, body, type: headers['Content-Type'] ?? '', validity }
}
