import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { type StoredAnswer, takeKey } from '../../persistence/idempotency.ts'
import type { Actor } from './context.ts'
import { Problem } from './errors.ts'

const KEPT_MS = 24 * 60 * 60 * 1000

/** The owner of idempotency keys: two tokens may use the same key for different requests. */
export function ownerOf(actor: Actor): string {
  return actor.kind === 'token' ? `token:${actor.id}` : `${actor.kind}:${actor.name}`
}

/** The stored answer of an earlier request with this key; undefined for the first request. */
export async function claimKey(
  tx: EntityManager,
  actor: Actor,
  key: string,
  requestHash: string,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const { taken, answer } = await takeKey(tx, ownerOf(actor), key, new Date(now.getTime() - KEPT_MS))
  if (!taken) {
    throw new Problem('idempotency_in_flight', 'Another request with this Idempotency-Key is still running.')
  }
  if (answer && answer.request_hash !== requestHash) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
  }
  return answer
}

/** The answer without the values that are shown once or that are never stored. */
export function withoutSecrets(schema: z.ZodType, value: unknown): unknown {
  if (!(schema instanceof z.ZodObject) || value === null || typeof value !== 'object') return value
  const shape = schema.shape as Record<string, z.ZodType>
  const isKept = ([name]: [string, unknown]) => {
    const { shownOnce = false, unkept = false } = shape[name]?.meta() ?? {}
    return !shownOnce && !unkept
  }
  return Object.fromEntries(Object.entries(value).filter(isKept))
}
