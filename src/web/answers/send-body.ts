import type { Context } from 'koa'
import type { Body } from './bodies.ts'
import { etagIn, knownEtag, preferredEncoding } from './encodings-rules.ts'

/** Sends a body as the client prefers, with a strong ETag, or 304 to a client that has the body. */
export async function sendBody(ctx: Context, body: Body): Promise<void> {
  const encoding = body.encodingFor(preferredEncoding(ctx.get('Accept-Encoding')))
  ctx.vary('Accept-Encoding')
  // Koa ignores ETags with `Cache-Control: no-cache`, which some clients always send.
  const known = knownEtag(ctx.get('If-None-Match'), body.etag, encoding)
  ctx.set('ETag', known ?? etagIn(body.etag, encoding))
  ctx.status = known === undefined ? 200 : 304
  if (known !== undefined) return
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.body = await body.in(encoding)
}
