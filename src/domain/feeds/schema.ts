import { z } from 'zod'
import { HierarchyItemSummary, ItemRef } from '../hierarchy/schema.ts'
import { computed, id, inOneLine, line, momentOut, readOnly, version, withoutReadOnly } from '../kernel/schema.ts'
import { locale } from '../settings/fields.ts'
import { managers } from '../views/schema.ts'
import { LifecycleStageResource } from '../vocabulary/schema.ts'

const formats = ['rss', 'atom', 'ics'] as const
const shownKinds = ['incidents', 'maintenances'] as const

const FeedScope = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('page') }),
    z.strictObject({
      kind: z.literal('items'),
      item_ids: z.array(id()).min(1).max(500),
      include_descendants: z.boolean().default(true).describe('Also everything below the items'),
    }),
    z.strictObject({ kind: z.literal('view'), view_id: id() }),
  ])
  .describe(
    'The whole page, items, or a custom view. A feed of items names no other items. The feed of a view is readable while everyone may read the view',
  )
  .meta({ id: 'FeedScope' })
export type FeedScope = z.output<typeof FeedScope>

/** A request names items and views also as other requests do. */
const FeedScopeRequest = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('page') }),
    z
      .strictObject({
        kind: z.literal('items'),
        item_ids: z.array(id()).min(1).max(500).optional(),
        items: z.array(ItemRef).min(1).max(500).optional().describe('The items by `id`, `slug` or `external_id`'),
        include_descendants: z.boolean().default(true).describe('Also everything below the items'),
      })
      .refine(({ item_ids, items }) => item_ids ?? items, 'needs item_ids or items'),
    z
      .strictObject({
        kind: z.literal('view'),
        view_id: id().optional(),
        view: z
          .union([line(60), id()])
          .optional()
          .describe('The short code, the alias or the id of the view'),
      })
      .refine(({ view_id, view }) => view_id ?? view, 'needs view_id or view'),
  ])
  .describe('As in the feed; `items` and `item_ids` must name the same items')
  .meta({ id: 'FeedScopeRequest' })
export type FeedScopeRequest = z.output<typeof FeedScopeRequest>

const fields = {
  name: inOneLine(line(200)),
  format: z.enum(formats).describe('`ics` is a calendar of the maintenances'),
  scope: FeedScopeRequest,
  locale: locale()
    .nullable()
    .describe('The language of the feed, which the page offers or supports; null: the language of the page'),
  lifecycle_stage_ids: z
    .array(id())
    .max(100)
    .describe('Only entries with one of these lifecycle stages. Empty: all entries. Not for `ics`'),
  kinds: z.array(z.enum(shownKinds)).min(1).max(2).describe('What the feed is about'),
  managers: managers(),
  enabled: z.boolean().describe('A disabled feed is a 404 for readers'),
}

export const FeedResource = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    format: z.enum(formats),
    scope: FeedScope,
    locale: z.string().nullable(),
    lifecycle_stage_ids: z.array(z.int()).optional().describe('In full records'),
    kinds: z.array(z.enum(shownKinds)).optional().describe('In full records'),
    managers: fields.managers.optional().describe('In full records, for administrators of the audience'),
    url: z.string(),
    readers_7d: z
      .int()
      .describe(
        'How many programs read the feed in the last seven days, by address and name of the program. Addresses are not stored, and at most 50000 readers are counted. A process counts each minute',
      ),
    enabled: z.boolean(),
    built_in: z.boolean().describe('Made with the page: the feed of the whole page in its format. Not deletable'),
    version: z.int(),
    items: z.array(HierarchyItemSummary).optional().describe('In full records: the items of the scope that exist'),
    lifecycle_stages: z
      .array(LifecycleStageResource)
      .optional()
      .describe('In full records: the stages of `lifecycle_stage_ids`'),
    created_at: momentOut().optional(),
    updated_at: momentOut().optional(),
  })
  .meta({ id: 'Feed' })

const derived = {
  ...readOnly('id', 'built_in'),
  ...computed('url', 'readers_7d', 'items', 'lifecycle_stages', 'created_at', 'updated_at'),
}

export const FeedCreateRequest = withoutReadOnly(
  z.strictObject({
    ...fields,
    scope: fields.scope.default({ kind: 'page' }),
    locale: fields.locale.default(null),
    lifecycle_stage_ids: fields.lifecycle_stage_ids.default([]),
    kinds: fields.kinds.optional().describe('What the feed is about. Absent: maintenances for `ics`, else both'),
    managers: fields.managers.default([]),
    enabled: fields.enabled.default(true),
  }),
  derived,
  'version',
).meta({ id: 'FeedCreateRequest' })

export const FeedUpdateRequest = z
  .strictObject({ ...z.strictObject(fields).partial().shape, version: version().optional(), ...derived })
  .meta({ id: 'FeedUpdateRequest' })
