import type { EntityName, FilterQuery } from '@mikro-orm/postgresql'
import { idOfExternal } from '../../persistence/rows.ts'
import type { Context } from './context.ts'
import { Problem } from './errors.ts'

interface Creatable {
  create_hash?: string | null
}

/**
 * The record that an earlier request made under this `external_id`. The same request again is answered with it;
 * another one is a conflict. Requests are compared, not records: the record may have moved on since.
 */
export async function repeated<T extends Creatable>(
  ctx: Context,
  entity: EntityName<T>,
  kind: string,
  externalId: string | undefined,
): Promise<T | null> {
  if (externalId === undefined) return null
  const id = await idOfExternal(ctx.tx, entity, externalId)
  if (id === undefined) return null
  const stored = (await ctx.tx.findOneOrFail(entity, { id } as unknown as FilterQuery<T>)) as T
  if (stored.create_hash !== ctx.requestHash) {
    throw new Problem(
      'external_id_conflict',
      `There is another ${kind} with the external_id "${externalId}", made by a different request.`,
    )
  }
  ctx.existing()
  return stored
}
