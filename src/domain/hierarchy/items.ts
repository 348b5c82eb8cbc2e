import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { Problem, requireVersion } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { findRepeated, rememberRequest } from '../kernel/repeated.ts'
import { trackRevision } from '../kernel/revise.ts'
import type { Mutation } from '../translations/schema.ts'
import { translate, translateNew } from '../translations/write.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus } from '../vocabulary/rules.ts'
import { applyArchivedTime } from './archive-notifications.ts'
import { place, settle } from './move.ts'
import { lastPosition, requirePosition } from './position.ts'
import { presentItems } from './presenter.ts'
import { parentOf } from './references.ts'
import { freeSlug, slugify } from './rules.ts'
import {
  HierarchyItemCreateRequest,
  HierarchyItemPutRequest,
  HierarchyItemResource,
  HierarchyItemUpdateRequest,
} from './schema.ts'
import { recomputeStatuses } from './statuses.ts'
import { itemSubject } from './subject.ts'

type CreateInput = Omit<z.output<typeof HierarchyItemCreateRequest>, 'translations'> & { translations?: Mutation[] }
type UpdateInput = z.output<typeof HierarchyItemUpdateRequest>

const shown = async ({ tx }: Context, item: HierarchyItem) => (await presentItems(tx, [item]))[0]!

export const getItem = operation({
  name: 'items.get',
  area: 'hierarchy',
  permission: 'read',
  summary: 'Get a hierarchy item',
  subject: itemSubject,
  input: z.strictObject({}),
  output: HierarchyItemResource,
  run: (ctx, _input, item) => shown(ctx, item),
})

export const createItem = operation({
  name: 'items.create',
  makes: 'item',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Create a hierarchy item',
  input: HierarchyItemCreateRequest,
  output: HierarchyItemResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, HierarchyItem, 'item', input, () => defaultsOf(ctx, input))
    return shown(ctx, stored ?? (await make(ctx, input)))
  },
})

/** The defaults of fields that a create omits. */
async function defaultsOf(ctx: Context, input: CreateInput) {
  const parent_id = await parentOf(ctx, input)
  const parent = parent_id ? await ctx.tx.findOne(HierarchyItem, { id: parent_id }) : null
  return { depth: (parent?.depth ?? 0) + 1 }
}

export const updateItem = operation({
  name: 'items.update',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Change, move or restore a hierarchy item',
  description:
    'A moved item becomes the last of its new siblings, unless `display_order` names a position. The status of an archived item does not change; when the item is restored, its incidents and maintenances of that time become status events of the item, but not of its parents. A body that equals the stored record does not raise `version`.',
  subject: itemSubject,
  input: HierarchyItemUpdateRequest,
  output: HierarchyItemResource,
  run: async (ctx, input, item) => {
    await change(ctx, item, input)
    return shown(ctx, item)
  },
})

export const putItem = operation({
  name: 'items.put',
  makes: 'item',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Create the item with this external id, or replace its fields',
  description:
    'A field that the body omits gets its default. Position, order, start and slug stay unless the body names them. An archived item is restored.',
  input: HierarchyItemPutRequest,
  output: HierarchyItemResource,
  run: async (ctx, input) => {
    const item = await itemSubject.find(ctx, { external_id: input.external_id }, { lock: true })
    requireVersion(item, input.version)
    if (!item) {
      await rememberRequest(ctx, 'item', input, () => defaultsOf(ctx, input))
      return shown(ctx, await make(ctx, input))
    }
    ctx.revised()
    const { abbreviated_name = null, description = null, metadata = null, ...rest } = input
    await change(ctx, item, { ...rest, abbreviated_name, description, metadata, archived: false })
    return shown(ctx, item)
  },
})

async function make(ctx: Context, input: CreateInput): Promise<HierarchyItem> {
  const { tx, now } = ctx
  const wanted = await parentOf(ctx, input)
  const { parent_id, depth } = await requirePosition(ctx, undefined, { depth: input.depth, parent_id: wanted })
  const item = tx.create(HierarchyItem, {
    page_id: ctx.page.id,
    parent_id,
    depth,
    name: input.name,
    slug: await slugFor(ctx, input),
    abbreviated_name: input.abbreviated_name ?? null,
    description: input.description ?? null,
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    display_order: input.display_order ?? (await lastPosition(tx, parent_id)),
    status: operationalStatus(await statusTypes(tx)),
    override_status: null,
    override_reason: null,
    override_until: null,
    override_since: null,
    archived_at: null,
    metadata: input.metadata ?? null,
    start_date: input.start_date ? new Date(input.start_date) : now,
    version: 1,
    created_at: now,
    updated_at: now,
  })
  await tx.flush()
  await translateNew(ctx, ['item', item.id], input.translations)
  return item
}

async function change(ctx: Context, item: HierarchyItem, input: UpdateInput): Promise<void> {
  const { tx, page, now } = ctx
  const revised = trackRevision(ctx, itemSubject, item)
  const { name, slug, abbreviated_name, description, external_id, display_order, metadata } = input
  if (slug !== undefined && slug !== item.slug) await requireFree(ctx, { slug })
  if (external_id && external_id !== item.external_id) await requireFree(ctx, { external_id })
  assignDefined(item, { name, slug, abbreviated_name, description, external_id, metadata })
  if (input.start_date !== undefined) item.start_date = new Date(input.start_date)
  const archivedAt = input.archived === false ? item.archived_at : null
  if (archivedAt) item.archived_at = null
  const { depth } = input
  const { parent_id = item.parent_id } = { parent_id: await parentOf(ctx, input) }
  const moves = parent_id !== item.parent_id || (depth !== undefined && depth !== item.depth)
  const by = moves ? await place(ctx, item, { depth, parent_id }) : 0
  // The parent may be archived too, or may have moved.
  if (archivedAt && !moves) await requirePosition(ctx, undefined, { parent_id, depth: item.depth })
  assignDefined(item, { display_order })
  await translate(ctx, ['item', item.id], input.translations)
  if (!revised()) return
  if (moves) await settle(ctx, item, by)
  if (!archivedAt) return
  await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'item', id: item.id } })
  // An override applied during the whole time.
  if (item.override_status === null) await applyArchivedTime(tx, item, { pageId: page.id, now, since: archivedAt })
}

async function slugFor({ tx }: Context, input: CreateInput): Promise<string> {
  const wanted = input.slug ?? slugify(input.name)
  const near = await tx.find(HierarchyItem, { slug: { $like: `${wanted}%` } }, { fields: ['slug'] })
  const taken = new Set(near.map((item) => item.slug))
  if (input.slug !== undefined && taken.has(input.slug)) throw slugTaken(input.slug)
  return freeSlug(wanted, taken)
}

async function requireFree({ tx }: Context, value: { slug: string } | { external_id: string }): Promise<void> {
  if ((await tx.count(HierarchyItem, value)) === 0) return
  if ('slug' in value) throw slugTaken(value.slug)
  throw new Problem('external_id_conflict', `An item with the external_id "${value.external_id}" already exists.`)
}

const slugTaken = (slug: string) => new Problem('conflict', `An item with the slug "${slug}" already exists.`)
