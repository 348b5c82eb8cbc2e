import type { EntityManager } from '@mikro-orm/postgresql'
import { BeatComponent } from '../../../persistence/entities/beat-component.ts'
import { HierarchyItem } from '../../../persistence/entities/hierarchy-item.ts'
import { resolveItems } from '../../hierarchy/references.ts'
import type { ItemRef } from '../../hierarchy/schema.ts'
import type { Context } from '../../kernel/context.ts'
import { replaced } from '../../kernel/revise.ts'
import { shortened } from '../../kernel/text-rules.ts'
import { agreed } from './rules.ts'

/** The items of beats and groups. A deleted item stays in the list, with a warning. */

export type Owner = [kind: BeatComponent['owner_kind'], id: number]

interface RequestedComponents {
  component_ids?: number[]
  component_refs?: ItemRef[]
}

/** A PUT without items removes the mapped items. */
export const noComponents = ({ component_refs }: RequestedComponents) => (component_refs ? {} : { component_ids: [] })

const inOrder = { orderBy: { id: 'asc' } } as const

/** Maps the items that a request names; returns the ids of the mapped items. */
export async function mapComponents(ctx: Context, owner: Owner, request: RequestedComponents): Promise<number[]> {
  const { tx, page } = ctx
  const [owner_kind, owner_id] = owner
  const rows = await tx.find(BeatComponent, { owner_kind, owner_id }, inOrder)
  const before = rows.map(({ item_id }) => item_id)
  const found = new Map<number, HierarchyItem>()
  const resolve = async (refs: ItemRef[] | undefined, field: string) => {
    if (!refs) return undefined
    const items = await resolveItems(tx, refs, field, before)
    for (const item of items) found.set(item.id, item)
    const gone = refs.flatMap(({ id }) => (id !== undefined && before.includes(id) && !found.has(id) ? [id] : []))
    return [...new Set([...items.map(({ id }) => id), ...gone])]
  }
  const byId = await resolve(
    request.component_ids?.map((id) => ({ id })),
    'component_ids',
  )
  const after = agreed(before, byId, await resolve(request.component_refs, 'component_refs'))
  if (!replaced(ctx, 'component_ids', before, after)) return before
  for (const row of rows) if (!after.includes(row.item_id)) tx.remove(row)
  const kept = before.filter((id) => after.includes(id))
  const added = after.filter((id) => !before.includes(id))
  for (const item_id of added) {
    const reference = referenceTo(found.get(item_id)!)
    tx.create(BeatComponent, { page_id: page.id, owner_kind, owner_id, item_id, reference })
  }
  await tx.flush()
  return [...kept, ...added]
}

const referenceTo = ({ id, slug, external_id }: HierarchyItem) => ({
  ...{ id, slug },
  ...(external_id === null ? {} : { external_id }),
})

export interface Components {
  component_ids: number[]
  component_refs: BeatComponent['reference'][]
  component_warnings: { reference: BeatComponent['reference']; code: 'missing' | 'archived'; message: string }[]
}

/** The items of these owners and their warnings, in two queries for all owners. */
export async function componentsOf(tx: EntityManager, owner_kind: Owner[0], owners: number[]) {
  const rows = await tx.find(BeatComponent, { owner_kind, owner_id: { $in: owners } }, inOrder)
  const items = await tx.find(HierarchyItem, { id: { $in: [...new Set(rows.map(({ item_id }) => item_id))] } })
  const byId = new Map(items.map((item) => [item.id, item]))
  const byOwner = Map.groupBy(rows, ({ owner_id }) => owner_id)
  return (id: number): Components => {
    const mapped = (byOwner.get(id) ?? []).map((row) => ({ row, item: byId.get(row.item_id) }))
    return {
      component_ids: mapped.map(({ row }) => row.item_id),
      component_refs: mapped.map(({ row, item }) => (item ? referenceTo(item) : row.reference)),
      component_warnings: mapped.flatMap(({ row, item }) => warningOf(row, item)),
    }
  }
}

function warningOf({ reference }: BeatComponent, item: HierarchyItem | undefined): Components['component_warnings'] {
  if (!item)
    return [{ reference, code: 'missing', message: `The item "${reference.slug}" (${reference.id}) was deleted.` }]
  if (!item.archived_at) return []
  return [
    {
      reference: referenceTo(item),
      code: 'archived',
      message: `The item "${shortened(item.name)}" (${item.id}) is archived.`,
    },
  ]
}

/** Called when the owner is deleted. */
export const unmapComponents = ({ tx }: Context, [owner_kind, owner_id]: Owner) =>
  tx.nativeDelete(BeatComponent, { owner_kind, owner_id })
