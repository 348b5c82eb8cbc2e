import { z } from 'zod'
import { computed, momentOut, version } from '../kernel/schema.ts'
import { addressNames, type Fields, readableOf, shownOf } from './fields.ts'
import { chatFields, pageFields } from './groups/index.ts'

/** All settings of a page, stored or default. */
const everything = z.object({ ...pageFields, ...chatFields })
export type Settings = z.output<typeof everything>

const defaults: Record<string, unknown> = everything.parse({})

/** The stored values with defaults for the other fields. Values of removed fields are left out. */
export function filled(values: Record<string, unknown>): Settings {
  const entries = Object.keys(defaults).map((name) => [name, values[name] ?? defaults[name]])
  return Object.fromEntries(entries) as Settings
}

type Changes<F extends Fields> = { [K in keyof F]: z.ZodOptional<z.ZodNullable<z.ZodType<z.output<F[K]>>>> }

/** The fields of a PATCH: an absent field stays, null sets the default. */
const changesOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const value = field.unwrap()
      const nullable = value instanceof z.ZodNullable ? value : z.nullable(value)
      return [name, nullable.optional().describe(field.description ?? '')]
    }),
  ) as Changes<F>

const state = {
  version: z.int(),
  updated_at: momentOut().nullable().describe('null while all settings have their defaults'),
}

const addresses = Object.fromEntries(addressNames(pageFields).map((name) => [name, true as const]))

export const SettingsResource = z.strictObject({ ...readableOf(pageFields), ...state }).partial(addresses as never)

export const PublicSettings = z.strictObject(shownOf(pageFields)).meta({ id: 'PublicSettings' })

export const SettingsUpdateRequest = z.strictObject({
  ...changesOf(pageFields),
  version: version().optional(),
  ...computed('updated_at'),
})

export const ChatSettingsResource = z.strictObject({ ...chatFields, ...state }).meta({ id: 'ChatSettings' })

export const ChatSettingsUpdateRequest = z.strictObject({
  ...changesOf(chatFields),
  version: version().optional(),
  ...computed('updated_at'),
})
