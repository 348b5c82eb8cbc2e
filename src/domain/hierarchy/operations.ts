import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { HierarchyLevel } from '../../persistence/entities/hierarchy-level.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { repeated } from '../kernel/repeated.ts'
import { recordSubject } from '../kernel/subject.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus } from '../vocabulary/rules.ts'
import { pathsOf, presentItem } from './presenter.ts'
import { freeSlug, slugify } from './rules.ts'
import { HierarchyItemCreateRequest, HierarchyItemResource } from './schema.ts'

export const itemSubject = recordSubject('item', HierarchyItem, (item) => presentItem(item, () => item.name), {
  external: true,
})

const HierarchyLevelResource = z
  .strictObject({ id: z.int(), depth: z.int(), singular: z.string(), plural: z.string() })
  .meta({ id: 'HierarchyLevel' })

export const listLevels = operation({
  name: 'levels.list',
  area: 'hierarchy',
  permission: 'read',
  summary: 'List the levels of the hierarchy, from the top',
  input: z.strictObject({}),
  output: z.strictObject({ levels: z.array(HierarchyLevelResource), total: z.int() }),
  run: async ({ tx }) => {
    const levels = await tx.findAll(HierarchyLevel, { orderBy: { depth: 'asc' } })
    return {
      levels: levels.map(({ id, depth, singular, plural }) => ({ id, depth, singular, plural })),
      total: levels.length,
    }
  },
})

export const listItems = operation({
  name: 'items.list',
  area: 'hierarchy',
  permission: 'read',
  summary: 'List hierarchy items, level by level in display order',
  input: z.strictObject({ ...pagingFields }),
  output: listOf('items', HierarchyItemResource),
  run: async ({ tx }, { limit, cursor }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.order, cursorKeys.order, cursorKeys.id]))
    const rows = await tx.find(
      HierarchyItem,
      after
        ? {
            $or: [
              { depth: { $gt: after[0] } },
              { depth: after[0], display_order: { $gt: after[1] } },
              { depth: after[0], display_order: after[1], id: { $gt: after[2] } },
            ],
          }
        : {},
      { orderBy: [{ depth: 'asc' }, { display_order: 'asc' }, { id: 'asc' }], limit: limit + 1 },
    )
    const total = await tx.count(HierarchyItem)
    const page = pageOf(rows, limit, (item) => [item.depth, item.display_order, item.id])
    const path = await pathsOf(tx, page.rows)
    return { items: page.rows.map((item) => presentItem(item, path)), total, next_cursor: page.next_cursor }
  },
})

export const getItem = operation({
  name: 'items.get',
  area: 'hierarchy',
  permission: 'read',
  summary: 'Get a hierarchy item',
  subject: itemSubject,
  input: z.strictObject({}),
  output: HierarchyItemResource,
  run: async ({ tx }, _input, item) => presentItem(item, await pathsOf(tx, [item])),
})

export const createItem = operation({
  name: 'items.create',
  area: 'hierarchy',
  permission: 'write',
  summary: 'Create a hierarchy item',
  input: HierarchyItemCreateRequest,
  output: HierarchyItemResource,
  run: async (ctx, input) => {
    const { tx, now } = ctx
    const stored = await repeated(ctx, HierarchyItem, 'item', input.external_id)
    if (stored) return presentItem(stored, await pathsOf(tx, [stored]))
    const { parent_id, depth } = await placeOf(ctx, input)
    const item = tx.create(HierarchyItem, {
      page_id: ctx.page.id,
      parent_id,
      depth,
      name: input.name,
      slug: await slugFor(ctx, input),
      abbreviated_name: input.abbreviated_name ?? null,
      description: input.description ?? null,
      external_id: input.external_id ?? null,
      create_hash: ctx.requestHash,
      display_order: input.display_order ?? (await tx.count(HierarchyItem, { parent_id })) + 1,
      status: operationalStatus(await statusTypes(tx)),
      metadata: input.metadata ?? null,
      start_date: input.start_date ? new Date(input.start_date) : now,
      version: 1,
      created_at: now,
      updated_at: now,
    })
    await tx.flush()
    return presentItem(item, await pathsOf(tx, [item]))
  },
})

type CreateInput = z.output<typeof HierarchyItemCreateRequest>

async function placeOf({ tx }: Context, input: CreateInput): Promise<{ parent_id: number | null; depth: number }> {
  const parent = input.parent_id === undefined ? null : await tx.findOne(HierarchyItem, { id: input.parent_id })
  if (input.parent_id !== undefined && !parent) {
    throw invalid([{ path: 'parent_id', message: `there is no item with id ${input.parent_id} on this page` }])
  }
  const natural = parent ? parent.depth + 1 : 1
  const depth = input.depth ?? natural
  if (depth !== natural) {
    const why = parent ? `its parent lies at depth ${parent.depth}` : 'it has no parent'
    throw invalid([{ path: 'depth', message: `must be ${natural}, because ${why}` }])
  }
  if ((await tx.count(HierarchyLevel, { depth })) === 0) {
    throw invalid([{ path: 'depth', message: `this page has no level at depth ${depth}` }])
  }
  return { parent_id: parent?.id ?? null, depth }
}

async function slugFor({ tx }: Context, input: CreateInput): Promise<string> {
  const wanted = input.slug ?? slugify(input.name)
  const near = await tx.find(HierarchyItem, { slug: { $like: `${wanted}%` } }, { fields: ['slug'] })
  const taken = new Set(near.map((item) => item.slug))
  if (input.slug !== undefined && taken.has(input.slug)) {
    throw new Problem('conflict', `There is an item with the slug "${input.slug}" already.`)
  }
  return freeSlug(wanted, taken)
}
