import type { Context } from 'koa'
import type { Body } from './bodies.ts'
import { type Encoding, etagIn, knownEtag, preferredEncoding } from './encodings-rules.ts'

/** The encoding that the client prefers, and the ETag of the body in this encoding. */
export interface Sent {
  encoding: Encoding
  etag: string
}

/** Sends a body as the client prefers, with a strong ETag, or 304 to a client that has the body. */
export async function sendBody(ctx: Context, body: Body): Promise<Sent> {
  const encoding = body.encodingFor(preferredEncoding(ctx.get('Accept-Encoding')))
  ctx.vary('Accept-Encoding')
  // Koa ignores ETags with `Cache-Control: no-cache`, which some clients always send.
  const known = knownEtag(ctx.get('If-None-Match'), body.etag, encoding)
  const asked = etagIn(body.etag, encoding)
  ctx.set('ETag', known ?? asked)
  ctx.status = known === undefined ? 200 : 304
  const sent = { encoding, etag: asked }
  if (known !== undefined) return sent
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.body = await body.in(encoding)
  return sent
}
