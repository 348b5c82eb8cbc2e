import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import type { Made, PublicReads } from './public-reads.ts'

/** Answers from the page's snapshot, with a strong ETag and 304. */
export async function serveSnapshot(
  ctx: Context,
  reads: PublicReads,
  page: PageRef,
  make: () => Promise<Made>,
): Promise<void> {
  const query = new URLSearchParams(ctx.querystring)
  query.sort()
  const snapshot = await reads.read(page.id, `${ctx.path}?${query}`, make)
  ctx.set(snapshot.headers ?? {})
  ctx.set('ETag', snapshot.etag)
  ctx.set('Cache-Control', page.visibility === 'private' ? 'private, no-cache' : 'public, no-cache')
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.body = snapshot.body
}
