import type { Context } from 'koa'
import type { PageRef } from '../domain/kernel/context.ts'
import { isOpen } from '../domain/kernel/open-page.ts'
import { allowCaching } from './headers.ts'
import { askedPath } from './page-path.ts'
import type { Made, PublicReads } from './public-reads.ts'

/** Answers from the page's snapshot, with a strong ETag and 304. */
export async function serveSnapshot(
  ctx: Context,
  reads: PublicReads,
  page: PageRef,
  make: () => Promise<Made>,
  since?: number,
): Promise<void> {
  const query = new URLSearchParams(ctx.querystring)
  query.sort()
  const snapshot = await reads.read(page.id, `${askedPath(ctx)}?${query}`, make, since)
  ctx.set(snapshot.headers ?? {})
  ctx.set('ETag', snapshot.etag)
  allowCaching(ctx, isOpen(page) ? 'public, no-cache' : 'private, no-cache')
  ctx.status = 200
  if (isKnown(ctx.get('If-None-Match'), snapshot.etag)) {
    ctx.status = 304
    return
  }
  ctx.body = snapshot.body
}

/** Replaces the comparison of Koa, which ignores ETags with `Cache-Control: no-cache`, as some clients always send it. */
export function isKnown(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  return header.split(',').some((known) => known.trim().replace(/^W\//, '') === etag)
}
