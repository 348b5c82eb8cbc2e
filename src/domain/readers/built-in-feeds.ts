import type { EntityManager } from '@mikro-orm/postgresql'
import { Feed } from '../../persistence/entities/feed.ts'
import { notFound } from '../kernel/errors.ts'

/** Refuses readers while the built-in feed of the format is disabled. */
export async function requireBuiltIn(tx: EntityManager, format: Feed['format']): Promise<void> {
  const feed = await tx.findOne(Feed, { format, built_in: true })
  if (!feed?.enabled) throw notFound('feed')
}
