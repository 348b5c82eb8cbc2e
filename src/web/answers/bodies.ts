import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Compression, type Encoding, isCompressible } from './encodings-rules.ts'

/** A body that many requests share. */
export interface Body {
  plain: Buffer
  /** The ETag of the plain body. */
  etag: string
  /** The encoding in which the body is sent to a client that prefers this one. */
  encodingFor(preferred: Encoding): Encoding
  /** The body in an encoding, compressed once, at the first request. */
  in(encoding: Encoding): Buffer | Promise<Buffer>
  /** The bytes of the body in all encodings so far. */
  size(): number
}

/** Costs about a millisecond for 50 KB; higher qualities cost much more, and save a tenth. */
const BROTLI_QUALITY = 5

const compress: Record<Compression, (plain: Buffer) => Promise<Buffer>> = {
  br: (plain) => {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
    return brotli(plain, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: plain.length } })
  },
  gzip: promisify(gzip),
}
const brotli = promisify(brotliCompress)

/** `br`: the body as it was compressed before. */
export function bodyOf(content: string | Buffer, br?: Buffer): Body {
  const plain = Buffer.from(content)
  const compressed = new Map<Compression, Buffer | Promise<Buffer>>(br && [['br', br]])
  let size = plain.length + (br?.length ?? 0)

  function compressTo(encoding: Compression): Promise<Buffer> {
    const compressing = compress[encoding](plain).then((buffer) => {
      compressed.set(encoding, buffer)
      size += buffer.length
      return buffer
    })
    compressed.set(encoding, compressing)
    return compressing
  }

  return {
    plain,
    etag: etagOf(plain),
    encodingFor: (preferred) => (isCompressible(plain.length) ? preferred : 'identity'),
    in: (encoding) => (encoding === 'identity' ? plain : (compressed.get(encoding) ?? compressTo(encoding))),
    size: () => size,
  }
}

export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`
}
