import { z } from 'zod'
import {
  computed,
  externalId,
  id,
  inOneLine,
  line,
  moment,
  momentOut,
  readOnly,
  text,
  version,
  withoutReadOnly,
} from '../kernel/schema.ts'
import { newTranslations, translations, translationsOut } from '../translations/schema.ts'

const slug = () =>
  z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case letters and digits, joined by hyphens')
    .max(100)

const MOST_METADATA_BYTES = 16 * 1024
const MOST_METADATA_LEVELS = 8

const metadata = () =>
  z
    .record(z.string().max(100), z.json())
    .refine(
      (value) => Buffer.byteLength(JSON.stringify(value)) <= MOST_METADATA_BYTES,
      `must be at most ${MOST_METADATA_BYTES} bytes of JSON`,
    )
    .refine(
      (value) => levelsOf(value) <= MOST_METADATA_LEVELS,
      `must be nested at most ${MOST_METADATA_LEVELS} levels deep`,
    )
    .describe(`At most ${MOST_METADATA_BYTES} bytes of JSON, nested at most ${MOST_METADATA_LEVELS} levels deep`)

const levelsOf = (value: unknown): number =>
  value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0

const core = {
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  depth: z.int(),
  status: z.string(),
  abbreviated_name: z.string().optional(),
  hierarchy_path: z.string().optional(),
}

export const HierarchyItemSummary = z
  .strictObject({
    ...core,
    archived: z.literal(true).optional().describe('Only on an archived item, which has no page of its own'),
  })
  .meta({ id: 'HierarchyItemSummary' })

export const HierarchyItemResource = z
  .strictObject({
    ...core,
    display_order: z.int(),
    parent_id: z.int().optional(),
    description: z.string().optional(),
    external_id: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    start_date: momentOut(),
    archived_at: momentOut().nullable().optional(),
    status_override: z
      .strictObject({ status: z.string(), reason: z.string(), until: momentOut().nullable() })
      .optional()
      .describe('The override, which replaces the computed status'),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
    translations: translationsOut(),
  })
  .meta({ id: 'HierarchyItemFlatResponse' })

/** The reference to an item by id, slug, external id or several of them. A summary from an answer is a valid reference. */
export const ItemRef = z
  .strictObject({
    id: id().optional(),
    slug: z.string().min(1).max(100).optional(),
    external_id: z.string().min(1).max(200).optional(),
    ...computed('name', 'depth', 'status', 'abbreviated_name', 'hierarchy_path'),
  })
  .refine(
    ({ id, slug, external_id }) => (id ?? slug ?? external_id) !== undefined,
    'needs an id, a slug or an external_id',
  )
  .meta({ id: 'HierarchyItemRef' })
export type ItemRef = z.output<typeof ItemRef>

const parent = () => ItemRef.describe('Names the parent, alone or with `parent_id`: both must name the same item')

const derived = {
  ...readOnly('id', 'status', 'status_override'),
  ...computed('hierarchy_path', 'archived_at', 'created_at', 'updated_at'),
}

/** The texts of an item, which can be translated. */
const words = { name: inOneLine(line(200)), description: text(2000) }

const creation = z.strictObject({
  name: words.name,
  depth: z
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe('From 1; default and only valid value: the depth of the parent plus 1'),
  parent_id: id().optional(),
  parent: parent().optional(),
  slug: slug().optional().describe('Absent: made from the name'),
  abbreviated_name: inOneLine(line(50)).optional(),
  description: words.description.optional(),
  external_id: externalId().optional(),
  display_order: z.int().min(0).max(1_000_000).optional().describe('Absent: the last of the siblings'),
  metadata: metadata().optional(),
  start_date: moment().optional().describe('Uptime counts from here. Absent: now'),
  translations: newTranslations(words),
})
export const HierarchyItemCreateRequest = withoutReadOnly(creation, derived, 'version')
export const HierarchyItemPutRequest = creation.extend({
  external_id: externalId(),
  version: version().optional(),
  translations: translations(words),
  ...derived,
})

export const HierarchyItemUpdateRequest = z.strictObject({
  name: words.name.optional(),
  slug: slug().optional(),
  abbreviated_name: inOneLine(line(50)).nullable().optional(),
  description: words.description.nullable().optional(),
  external_id: externalId().nullable().optional(),
  display_order: z.int().min(0).max(1_000_000).optional(),
  metadata: metadata().nullable().optional(),
  start_date: moment().optional(),
  archived: z
    .literal(false, { error: 'must be false: DELETE with `?archive=true` archives an item' })
    .optional()
    .describe('Restores an archived item; DELETE with `?archive=true` archives an item'),
  depth: z.int().min(1).max(20).optional().describe('With `parent_id`: moves the item and everything below it'),
  parent_id: id().nullable().optional(),
  parent: parent().nullable().optional(),
  version: version().optional(),
  translations: translations(words),
  ...derived,
})

const NONE = 'at least one affected item is required'

/** For records that need an affected item. */
export const affectedItems = () =>
  z
    .array(ItemRef, { error: ({ input }) => (input === undefined ? NONE : undefined) })
    .min(1, NONE)
    .max(500)
