import { z } from 'zod'
import { readHost } from '../../outbound/host-rules.ts'
import { isEmailAddress } from '../kernel/email-rules.ts'
import { inOneLine, line, text, webUrl } from '../kernel/schema.ts'
import { canonicalLocale, canonicalZone, hasDates, isLinkTarget, isSecureAddress, isTimeZone } from './rules.ts'

/**
 * The building blocks of settings. A group has two parts: `working` fields are accepted and answered, `later` fields are
 * refused until they are implemented. Moving a field from `later` to `working` switches the field on.
 */
export type Fields = Record<string, z.ZodDefault>

const hiddenFields = z.registry<{ hidden: true }>()

/** A field that the public read leaves out. Must be the outermost call, because a derived schema is a new one. */
export function hidden<T extends z.ZodDefault>(field: T): T {
  hiddenFields.add(field, { hidden: true })
  return field
}

export const shownOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => !hiddenFields.has(field)))

const addressFields = z.registry<{ address: true }>()

/** A field with addresses of people: only a token with admin permission in the area settings reads the field. */
export function peoplesAddress<T extends z.ZodDefault>(field: T): T {
  addressFields.add(field, { address: true })
  return hidden(field)
}

export const addressNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => addressFields.has(fields[name]!))

export const flag = (value: boolean) => z.boolean().default(value)
export const words = (max: number) => text(max).default('')
/** A title or a label, or an empty text for none. */
export const lineOrNone = (max: number) => inOneLine(text(max).trim()).default('')
export const whole = (min: number, max: number, value: number) => z.int().min(min).max(max).default(value)

/** One of these values; the first one is the default. */
export const choice = <const V extends readonly [string, ...string[]]>(values: V) => z.enum(values).default(values[0])

/** A text of this kind, or an empty one. */
const textOr = <S extends z.ZodType<string, string>>(schema: S) =>
  z.union([z.literal(''), schema], { error: ({ input }) => (typeof input === 'string' ? undefined : 'must be a text') })

/** An https address of one host, or an empty text for none. */
export const secureLink = () =>
  textOr(
    z
      .string()
      .max(2000)
      .refine(isSecureAddress, 'must be an https address of one host, without a user name or password')
      .meta({ format: 'uri', example: 'https://example.com/' }),
  ).default('')

export const emailOrNone = () =>
  text(254)
    .refine((one) => one === '' || isEmailAddress(one), 'must be an e-mail address such as status@example.com')
    .meta({ example: 'status@example.com' })
    .default('')

export const hostOrNone = () =>
  text(253)
    .refine((host) => host === '' || readHost(host) !== null, 'must be a host name or an IP address, without a port')
    .meta({ example: 'smtp.example.com' })
    .default('')

/** A port as text, as the interface has it. */
export const portText = () =>
  text(5)
    .refine((port) => /^[1-9]\d*$/.test(port) && Number(port) <= 65_535, 'must be a port from 1 to 65535')
    .meta({ example: '587' })

export const link = () => textOr(webUrl()).default('')

/** An https address, a mailto address, or a path of this host. */
const linkTarget = () =>
  z
    .string()
    .max(2000)
    .refine(isLinkTarget, 'must be an https address, a mailto address, or a path such as /help')
    .meta({ example: 'https://example.com/help' })

const NavigationLink = z.strictObject({
  label: inOneLine(line(100)),
  url: linkTarget(),
  new_tab: z.boolean().default(false),
})
export const navigationLinks = () => z.array(NavigationLink).max(20).default([])

const colour = () => z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour like #2f9e44')
export const color = () => textOr(colour()).default('')

const secretFields = z.registry<{ secret: true }>()

/** A secret: `keepSecret` encrypts the value, which is stored apart from the other values and is in no answer. */
export function secret() {
  const field = hidden(text(1000).meta({ writeOnly: true }).default(''))
  secretFields.add(field, { secret: true })
  return field
}

export const secretNames = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => secretFields.has(fields[name]!))

/** The fields without secrets. */
export const readableOf = <F extends Fields>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => !secretFields.has(field))) as F

const tag = (isFine: (tag: string) => boolean) =>
  z
    .string()
    .max(35)
    .overwrite((text) => canonicalLocale(text) ?? text)
    .refine(isFine, 'must be a BCP 47 language tag such as pt-BR')
    .meta({ example: 'en' })

export const locale = () => tag((text) => canonicalLocale(text) !== undefined)

/** A locale of dates, or an empty text for none. */
export const dateLocaleOrNone = () =>
  tag((text) => text === '' || canonicalLocale(text) !== undefined)
    .refine(
      (text) => canonicalLocale(text) === undefined || hasDates(text),
      'must be a language whose dates the service can write, such as de-CH',
    )
    .default('')

export const timeZone = () =>
  z
    .string()
    .max(100)
    .overwrite((name) => canonicalZone(name) ?? name)
    .refine(isTimeZone, 'must be a time zone of the tz database such as Europe/Berlin')
    .meta({ example: 'Europe/Berlin' })
