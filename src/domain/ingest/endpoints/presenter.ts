import type { EntityManager } from '@mikro-orm/postgresql'
import { IngestCount } from '../../../persistence/entities/ingest-count.ts'
import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { IngestToken } from '../../../persistence/entities/ingest-token.ts'
import type { Context } from '../../kernel/context.ts'
import { INGEST_PATH } from './token.ts'

type Reading = Pick<Context, 'tx' | 'now' | 'services'>

/** Endpoints without any token, in a number of queries that does not grow with them. */
export async function presentEndpoints({ tx, now, services }: Reading, endpoints: IngestEndpoint[]) {
  const ids = endpoints.map(({ id }) => id)
  const counts = new Map((await countsOf(tx, ids)).map((count) => [count.endpoint_id, count]))
  const tokens = Map.groupBy(await tokensOf(tx, ids, now), ({ endpoint_id }) => endpoint_id)
  return endpoints.map((endpoint) => {
    const { id, external_id, name, description, provider_type, enabled, version } = endpoint
    const active = tokens.get(id)?.find(({ expires_at }) => expires_at === null)
    const previous = tokens.get(id)?.find(({ expires_at }) => expires_at !== null)
    const count = counts.get(id)
    return {
      id,
      external_id: external_id ?? undefined,
      ...{ name, description, provider_type, enabled },
      token_prefix: active?.prefix ?? '',
      ingest_url: new URL(INGEST_PATH, services.baseUrl).href,
      previous_token: previous && { prefix: previous.prefix, expires_at: previous.expires_at!.toISOString() },
      last_used_at: count?.last_used_at?.toISOString() ?? null,
      event_count: count?.event_count ?? 0,
      refused_count: count?.refused_count ?? 0,
      version,
      created_at: endpoint.created_at.toISOString(),
      updated_at: endpoint.updated_at.toISOString(),
    }
  })
}

const countsOf = (tx: EntityManager, ids: number[]) =>
  tx.find(IngestCount, { endpoint_id: { $in: ids } }, { refresh: true })

/** The active tokens, and the earlier ones that still work. */
const tokensOf = (tx: EntityManager, ids: number[], now: Date) =>
  tx.find(IngestToken, {
    endpoint_id: { $in: ids },
    $or: [{ expires_at: null }, { expires_at: { $gt: now } }],
  })
