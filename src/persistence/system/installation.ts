import { Installation } from '../entities/installation.ts'
import type { Orm } from '../orm.ts'

export async function recall(system: Orm, key: string): Promise<string | undefined> {
  return (await system.em.fork().findOne(Installation, { key }))?.value
}

export async function remember(system: Orm, key: string, value: string, now: Date): Promise<void> {
  await system.em.fork().upsert(Installation, { key, value, updated_at: now })
}
