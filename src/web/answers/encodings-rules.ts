/** The encodings of a body, and the ETags that belong to them. Pure: no clock, no database. */

/** The best first. */
const compressions = ['br', 'gzip'] as const
export type Compression = (typeof compressions)[number]
export type Encoding = Compression | 'identity'

/** A smaller body would hardly become smaller. */
const SMALLEST_COMPRESSED_BYTES = 1024

export const isCompressible = (bytes: number): boolean => bytes >= SMALLEST_COMPRESSED_BYTES

/** The encoding that the client prefers; of equally preferred encodings the one with the smallest body. */
export function preferredEncoding(acceptEncoding: string): Encoding {
  const qualities = new Map(acceptEncoding.split(',').map(readPart))
  const qualityOf = (name: Compression) =>
    qualities.get(name) ?? (name === 'gzip' ? qualities.get('x-gzip') : undefined) ?? qualities.get('*') ?? 0
  const best = compressions.reduce((a, b) => (qualityOf(b) > qualityOf(a) ? b : a))
  return qualityOf(best) > 0 && qualityOf(best) >= (qualities.get('identity') ?? 0) ? best : 'identity'
}

function readPart(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [name, quality === undefined ? 1 : Number(quality) || 0]
}

/** Each encoding of a body has an ETag of its own, because its bytes differ. */
export const etagIn = (etag: string, encoding: Encoding): string =>
  encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`

/** The ETag of `If-None-Match` that names this body in any encoding: the client has the body, whatever the encoding was. */
export function knownEtag(ifNoneMatch: string, etag: string, encoding: Encoding): string | undefined {
  if (ifNoneMatch === '') return undefined
  const asked = etagIn(etag, encoding)
  if (ifNoneMatch.trim() === '*') return asked
  const known = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return [asked, etag, ...compressions.map((one) => etagIn(etag, one))].find((one) => known.includes(one))
}
