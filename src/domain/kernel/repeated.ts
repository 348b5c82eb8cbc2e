import { type EntityName, type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { idOfExternal } from '../../persistence/rows.ts'
import { canonical, fingerprint } from './canonical.ts'
import type { Context } from './context.ts'
import { Problem } from './errors.ts'

interface Creatable {
  create_hash?: string | null
}

interface Named {
  external_id?: string
  /** A backfill is another request than a create with the same fields. */
  backfilled?: true
}

/** The defaults of a create, except null and empty lists. */
export type Defaults = Record<string, unknown>

/**
 * The record that an earlier request created with this `external_id`. The same request is answered with that record; another
 * request is a conflict. Compares requests, not records, because the record may have changed since. A field with its default
 * equals an absent field, and `notify` does not count. If a DELETE commits between the two reads, the request creates a record.
 */
export async function findRepeated<T extends Creatable>(
  ctx: Context,
  entity: EntityName<T>,
  kind: string,
  input: Named,
  defaultsOf: () => Defaults | Promise<Defaults>,
): Promise<T | null> {
  const { external_id } = input
  if (external_id === undefined) return null
  const hashes = await rememberRequest(ctx, kind, input, defaultsOf)
  const id = await idOfExternal(ctx.tx, entity, external_id)
  if (id === undefined) return null
  const where = { id } as unknown as FilterQuery<T>
  const stored = (await ctx.tx.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_READ })) as T | null
  if (!stored) return null
  const known = stored.create_hash?.split(' ') ?? []
  if (!hashes.some((hash) => known.includes(hash))) {
    throw new Problem(
      'external_id_conflict',
      `A different request has created another ${kind} with the external_id "${external_id}".`,
    )
  }
  ctx.existing()
  return stored
}

/** The hashes that a new record stores of the request, so that an equal create finds it. A PUT that creates stores them, too. */
export async function rememberRequest(
  ctx: Context,
  kind: string,
  input: object,
  defaultsOf: () => Defaults | Promise<Defaults>,
): Promise<string[]> {
  const hashes = [ctx.requestHash, fingerprint([kind, withoutDefaults(input, await defaultsOf())])]
  ctx.createHash = hashes.join(' ')
  return hashes
}

/** The fields of a request that differ from the defaults. */
function withoutDefaults(input: object, defaults: Defaults): Record<string, unknown> {
  const isDefault = (name: string, value: unknown) => {
    if (name === 'notify' || value === undefined) return true
    if (name in defaults && defaults[name] !== undefined) return canonical(value) === canonical(defaults[name])
    return value === null || (Array.isArray(value) && value.length === 0)
  }
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => !isDefault(name, value)))
}
