import { IngestCount } from '../../../persistence/entities/ingest-count.ts'
import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { IngestToken } from '../../../persistence/entities/ingest-token.ts'
import type { Context } from '../../kernel/context.ts'
import { hashOf, tokenFormat } from '../../kernel/token-format.ts'

const format = tokenFormat('upi')

/** The hash by which a token is found; undefined for a text that is not a token. */
export const ingestHashOf = (token: string): string | undefined =>
  format.prefixOf(token) === undefined ? undefined : hashOf(token)

export const INGEST_PATH = '/api/v1/external-events/ingest'

/** Makes the active token of an endpoint. Only this answer shows the token. */
export async function issueToken(ctx: Context, { id, page_id }: IngestEndpoint) {
  const { token, prefix, hash } = format.make()
  const never = { expires_at: null, ended_at: null }
  ctx.tx.create(IngestToken, { hash, page_id, endpoint_id: id, prefix, created_at: ctx.now, ...never })
  await ctx.tx.flush()
  return { ingest_token: token, tokenized_url: new URL(`${INGEST_PATH}/${token}`, ctx.services.baseUrl).href }
}

export function startCounting(ctx: Context, { id, page_id }: IngestEndpoint): void {
  ctx.tx.create(IngestCount, { endpoint_id: id, page_id, event_count: 0, refused_count: 0, last_used_at: null })
}
