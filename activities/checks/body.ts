import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Failure } from '../../src/outbound/connections/failure.ts'
import type { Answer } from './exchange.ts'

const MAX_DECODED = 256 * 1024
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants

/** With these flush modes a truncated body is decoded up to its end instead of being refused. */
const decoders: Record<string, () => ReturnType<typeof createGunzip>> = {
  gzip: () => createGunzip({ finishFlush: Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: ZSTD_e_flush }),
}

/** The request asks for no compression. A compressed body is unpacked up to `MAX_DECODED` bytes. */
export async function unpackedBody({ body, headers }: Answer): Promise<{ body: Uint8Array; cut: boolean }> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase().replace(/^x-/, '')
  return encoding === 'identity' ? { body, cut: false } : unpack(body, encoding)
}

async function unpack(body: Buffer, encoding: string): Promise<{ body: Buffer; cut: boolean }> {
  const make = decoders[encoding]
  if (!make) throw new Failure(`The body has the content encoding ${encoding}, which cannot be decoded`)
  const decoder = make()
  const chunks: Buffer[] = []
  let size = 0
  decoder.end(body)
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_DECODED) break
    }
  } catch {
    throw new Failure(`The body is not valid ${encoding}, although its Content-Encoding header names ${encoding}`)
  }
  return { body: Buffer.concat(chunks).subarray(0, MAX_DECODED), cut: size > MAX_DECODED }
}

export const charsetOf = ({ headers }: Answer): string | undefined =>
  /charset="?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
