import { z } from 'zod'
import { computed, line, momentOut, readOnly, text, version, withoutReadOnly } from '../kernel/schema.ts'
import { newTranslations, translations, translationsOut } from '../translations/schema.ts'
import { categories, variablesOf } from './rules.ts'

const MAX_VALUES = 50

export const category = () => z.enum(categories)

const autoPostStart = () => z.boolean().describe('Posted when a maintenance starts; only in the category maintenance')
const autoPostCompletion = () =>
  z.boolean().describe('Posted when a maintenance is completed; only in the category maintenance')

export const PresetResource = z
  .strictObject({
    id: z.int(),
    title: z.string(),
    body: z.string().optional().describe('In full records'),
    category: category(),
    auto_post_on_maintenance_start: autoPostStart(),
    auto_post_on_maintenance_completion: autoPostCompletion(),
    version: z.int(),
    created_at: momentOut().optional(),
    updated_at: momentOut().optional(),
    translations: translationsOut(),
  })
  .meta({ id: 'PresetMessage' })

const derived = { ...readOnly('id'), ...computed('created_at', 'updated_at') }

/** The variables, for the descriptions of the operations. */
export const variablesInWords = [
  'Title and body may hold variables, which are filled in when the preset is used. A variable is a name in double braces, such as `{{Page-Name}}`.',
  ...Array.from(Map.groupBy(categories, variablesOf), ([variables, where]) => {
    const named = variables.map(({ name, means }) => `\`{{${name}}}\` (${means})`)
    return `In ${where.join(', ')}: ${named.join(', ')}.`
  }),
  'Other variables are refused.',
].join(' ')

const words = { title: line(300), body: line(20_000) }

export const PresetCreateRequest = withoutReadOnly(
  z.strictObject({
    ...words,
    category: category().default('general'),
    auto_post_on_maintenance_start: autoPostStart().default(false),
    auto_post_on_maintenance_completion: autoPostCompletion().default(false),
    translations: newTranslations(words),
  }),
  derived,
  'version',
)

export const PresetUpdateRequest = z.strictObject({
  title: words.title.optional(),
  body: words.body.optional(),
  category: category().optional(),
  auto_post_on_maintenance_start: autoPostStart().meta({ example: false }).optional(),
  auto_post_on_maintenance_completion: autoPostCompletion().meta({ example: false }).optional(),
  version: version().optional(),
  translations: translations(words),
  ...derived,
})

export const PresetPreviewRequest = z.strictObject({
  ...words,
  category: category().default('general'),
  values: z
    .record(text(100), text(2000))
    .refine((values) => Object.keys(values).length <= MAX_VALUES, `must name at most ${MAX_VALUES} variables`)
    .default({})
    .describe('The values of variables by name; other variables get sample values'),
})

export const PresetPreview = z
  .strictObject({
    title: z.string(),
    body: z.string(),
    values: z.record(z.string(), z.string()).describe('The values that were used'),
  })
  .meta({ id: 'PresetMessagePreview' })
