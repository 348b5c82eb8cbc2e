import { z } from 'zod'
import { computed, id, inOneLine, line, momentOut, readOnly, text, version, withoutReadOnly } from '../kernel/schema.ts'
import { newTranslations, translations, translationsOut } from '../translations/schema.ts'
import { RESOLVED, SHAPES } from './rules.ts'

/** The texts of a status type or a stage, which can be translated. */
const words = { name: inOneLine(line(100)), description: text(500) }

const color = () =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #2f9e44')
    .meta({ example: '#2f9e44' })

export const StatusTypeResource = z
  .strictObject({
    id: z.int(),
    key: z.string(),
    name: z.string(),
    description: z.string(),
    icon: z.string(),
    color: z.string(),
    is_operational: z.boolean().describe('True for exactly one type of a page'),
    uptime_weight: z.number().describe('The part of the time in this status that counts as down: 1 all, 0 none'),
    archived: z.boolean(),
    display_order: z.int(),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
    translations: translationsOut(),
  })
  .meta({
    id: 'StatusTypeResource',
    description: 'A possible status; `display_order` is the severity, mildest first.',
  })

const icon = () => z.enum(['', ...SHAPES]).describe('The shape of the icon. Empty: a shape by the severity of the type')
const weight = () => z.number().min(0).max(1)
const statusTypeDerived = {
  ...readOnly('id', 'display_order', 'is_operational'),
  ...computed('created_at', 'updated_at'),
}

export const StatusTypeCreateRequest = withoutReadOnly(
  z.strictObject({
    key: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,49}$/, 'must be lower-case letters, digits and underscores')
      .refine((key) => key !== RESOLVED, 'is reserved')
      .describe('Cannot be changed'),
    name: inOneLine(line(100)),
    description: text(500).default(''),
    icon: icon().default(''),
    color: color().default('#868e96'),
    uptime_weight: weight().default(1),
    translations: newTranslations(words),
  }),
  statusTypeDerived,
  'archived',
  'version',
)

export const StatusTypeUpdateRequest = z.strictObject({
  name: inOneLine(line(100)).optional(),
  description: text(500).nullable().optional(),
  icon: icon().nullable().optional(),
  color: color().optional(),
  uptime_weight: weight().optional(),
  archived: z.boolean().optional().describe('An archived type stays in history and cannot be chosen'),
  version: version().optional(),
  translations: translations(words),
  ...statusTypeDerived,
  ...readOnly('key'),
})

export const LifecycleStageResource = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    color: z.string(),
    display_order: z.int(),
    is_default: z.boolean().describe('The stage of a new record'),
    archived: z.boolean(),
    version: z.int(),
    translations: translationsOut(),
  })
  .meta({ id: 'LifecycleStage' })

export const LifecycleStageCreateRequest = withoutReadOnly(
  z.strictObject({
    name: inOneLine(line(100)),
    description: text(500).default(''),
    color: color().default('#868e96'),
    translations: newTranslations(words),
  }),
  'id',
  'display_order',
  'is_default',
  'archived',
  'version',
)

export const LifecycleStageUpdateRequest = z.strictObject({
  name: inOneLine(line(100)).optional(),
  description: text(500).nullable().optional(),
  color: color().optional(),
  is_default: z.boolean().optional().describe('Makes this stage the stage of new records'),
  archived: z.boolean().optional().describe('An archived stage stays in history and cannot be chosen'),
  version: version().optional(),
  translations: translations(words),
  ...readOnly('id', 'display_order'),
})

/** The ids of all records in the new order. */
export const ReorderRequest = z.strictObject({ ids: z.array(id()).min(1).max(200) })
