import { z } from 'zod'
import { text } from '../kernel/schema.ts'
import { canonicalLocale, isTimeZone } from './rules.ts'

/**
 * What settings are made of. A group has two shelves: `working` fields are accepted and answered, `later` ones are
 * refused until something works by them. Turning a field on is moving it from one to the other.
 */
export type Fields = Record<string, z.ZodDefault>

const hiddenFields = z.registry<{ hidden: true }>()

/** A field that the public read leaves out: contract 8 says which. Goes around all else: what is made of it is another. */
export function hidden<T extends z.ZodDefault>(field: T): T {
  hiddenFields.add(field, { hidden: true })
  return field
}

export const shownOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => !hiddenFields.has(field)))

const addressFields = z.registry<{ address: true }>()

/** A field that holds addresses of people: only a token with admin reach in the area settings reads the field. */
export function peoplesAddress<T extends z.ZodDefault>(field: T): T {
  addressFields.add(field, { address: true })
  return hidden(field)
}

export const addressNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => addressFields.has(fields[name]!))

export const flag = (value: boolean) => z.boolean().default(value)
export const words = (max: number) => text(max).default('')
export const whole = (min: number, max: number, value: number) => z.int().min(min).max(max).default(value)

/** One of a few words, which whoever turns the field on makes an enum of. */
export const mode = () => words(50)

const url = () => z.url({ protocol: /^https?$/ }).max(2000)
export const link = () => z.union([z.literal(''), url()]).default('')
export const links = () => z.array(z.strictObject({ label: text(100), url: url() })).max(20)

const colour = () => z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #2f9e44')
export const color = () => z.union([z.literal(''), colour()]).default('')

/** Known by whether there is one: its value is sealed by `keepSecret` and never stands among the others. */
export const secret = () => hidden(text(1000).meta({ writeOnly: true }).default(''))

const tag = (isFine: (tag: string) => boolean) =>
  z
    .string()
    .max(35)
    .overwrite((said) => canonicalLocale(said) ?? said)
    .refine(isFine, 'must be a BCP 47 language tag such as pt-BR')
    .meta({ example: 'en' })

export const locale = () => tag((said) => canonicalLocale(said) !== undefined)

/** The same where it may be left open, which the empty text does. */
export const localeOrNone = () => tag((said) => said === '' || canonicalLocale(said) !== undefined).default('')

export const timeZone = () =>
  z
    .string()
    .max(100)
    .refine(isTimeZone, 'must be a time zone of the tz database such as Europe/Berlin')
    .meta({ example: 'Europe/Berlin' })
