import { z } from 'zod'

/**
 * A field of a record that clients set, described once. The schemas of requests and answers, the defaults, the stored values
 * and the values of an audit row follow from the description.
 */
interface Field<S extends z.ZodType = z.ZodType, O extends Options = Options> {
  /** The schema of a value in requests. */
  schema: S
  options: O
}

interface Options<V = unknown> {
  /** A create has the field. */
  required?: true
  /** The value of a record whose request leaves the field out. If it depends on the request or the page, `defaultsOf` takes it. */
  default?: V | null
  /** The document of the API names the default. */
  saysDefault?: true
  /** Compact lists have the field too. */
  compact?: true
  /** Readers of the page see the field. */
  public?: true
  /** Translations of the record have the text too. */
  translatable?: true
  /** A change takes null for the default, although the schema has no null. */
  nullClears?: true
  /** A PUT without the field leaves the stored value. */
  keptByPut?: true
  /** The schema in answers, if it is not the schema of requests without bounds, description and null. */
  answer?: z.ZodType
}

export type Fields = Record<string, Field>

export const field = <S extends z.ZodType, const O extends Options<z.output<S>>>(
  schema: S,
  options: O,
): Field<S, O> => ({ schema, options })

type Schema<T> = T extends Field<infer S, infer _O> ? S : never
type Has<T, O extends Options> = T extends { options: O } ? true : false
type Named<F, O extends Options> = { [K in keyof F]: Has<F[K], O> extends true ? K : never }[keyof F]
type WithoutNull<S extends z.ZodType> = S extends z.ZodNullable<infer T extends z.ZodType> ? T : S
type Answer<T> = T extends { options: { answer: infer A extends z.ZodType } } ? A : WithoutNull<Schema<T>>

type Create<F> = {
  [K in keyof F]: Has<F[K], { required: true }> extends true ? Schema<F[K]> : z.ZodOptional<Schema<F[K]>>
}
type Change<F> = {
  [K in keyof F]: z.ZodOptional<
    Has<F[K], { nullClears: true }> extends true ? z.ZodNullable<Schema<F[K]>> : Schema<F[K]>
  >
}
type Answers<F> = {
  [K in keyof F]: null extends Value<F[K]>
    ? z.ZodOptional<Answer<F[K]>>
    : Has<F[K], { compact: true }> extends true
      ? Answer<F[K]>
      : z.ZodOptional<Answer<F[K]>>
}

type Value<T> = z.output<Schema<T>> | (Has<T, { default: null }> extends true ? null : never)
type Values<F> = { [K in keyof F]: Value<F[K]> }
/** The fields of a request or of a record. */
export type Given<F> = { [K in keyof F]?: Value<F[K]> | null }
type Computed<F> = Omit<Values<F>, Named<F, { required: true }> | Named<F, { default: unknown }>>
type Defaults<F> = Omit<Values<F>, Named<F, { required: true }>>

const mapped = (fields: Fields, value: (field: Field, name: string) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(field, name)])) as unknown

const picked = (fields: Fields, wanted: (options: Options) => boolean) =>
  Object.fromEntries(Object.entries(fields).filter(([, { options }]) => wanted(options)))

/** The shape of a create or a PUT. */
export const inCreate = <F extends Fields>(fields: F) =>
  mapped(fields, ({ schema, options }) => {
    if (options.required) return schema
    return options.saysDefault ? schema.optional().meta({ default: options.default }) : schema.optional()
  }) as Create<F>

/** The shape of a change. */
export const inChange = <F extends Fields>(fields: F) =>
  mapped(fields, ({ schema, options }) => (options.nullClears ? schema.nullable() : schema).optional()) as Change<F>

/** The shape of an answer: a field that may be null or is not in compact lists may be absent. */
export const inAnswer = <F extends Fields>(fields: F) =>
  mapped(fields, ({ schema, options }) => {
    const shown = options.answer ?? withoutBounds(schema)
    const mayBeNull = schema instanceof z.ZodNullable || options.default === null
    return options.compact && !mayBeNull ? shown : shown.optional()
  }) as Answers<F>

function withoutBounds(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return withoutBounds(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodString) return z.string()
  if (schema instanceof z.ZodBoolean) return z.boolean()
  if (schema instanceof z.ZodNumber) return schema.isInt ? z.int() : z.number()
  return schema
}

/** The fields of compact lists. */
export const compact = <F extends Fields>(fields: F) =>
  picked(fields, (options) => options.compact === true) as Pick<F, Named<F, { compact: true }>>

/** The names of the fields without an option: those that compact lists or readers of the page do not have. */
export const lacking = <F extends Fields, O extends 'compact' | 'public'>(fields: F, option: O) => {
  const others = picked(fields, (options) => !options[option])
  return mapped(others, () => true) as { [K in Exclude<keyof F, Named<F, Record<O, true>>>]: true }
}

/** The schemas of the texts that translations have. */
export const translatable = <F extends Fields>(fields: F) => {
  const texts = picked(fields, (options) => options.translatable === true)
  return mapped(texts, ({ schema }) => schema) as { [K in Named<F, { translatable: true }>]: Schema<F[K]> }
}

/** The defaults of a create, with those that are computed. */
export const defaultsOf = <F extends Fields>(fields: F, computed: Computed<F>) => {
  const fixed = picked(fields, (options) => options.default !== undefined)
  const defaults = mapped(fixed, ({ options }) => structuredClone(options.default)) as object
  return { ...defaults, ...computed } as Defaults<F>
}

/** The values of a new record. */
export const newValues = <F extends Fields>(fields: F, request: Given<F>, defaults: Defaults<F>) =>
  mapped(fields, (field, name) =>
    request[name] === undefined ? (defaults as Record<string, unknown>)[name] : given(field, request[name]),
  ) as Values<F>

/** The changes of a request: null sets the default, and an absent field is undefined. */
export const changedValues = <F extends Fields>(fields: F, request: Given<F>) =>
  mapped(fields, (field, name) => given(field, request[name])) as { [K in keyof F]: Value<F[K]> | undefined }

const given = ({ options }: Field, value: unknown) =>
  value === null ? structuredClone(options.default ?? null) : value

/** The defaults that a PUT sets in a stored record. */
export const resetValues = <F extends Fields>(fields: F, defaults: Defaults<F>) =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => !fields[name]?.options.keptByPut)) as Omit<
    Defaults<F>,
    Named<F, { keptByPut: true }>
  >

/** The values of a record as answers and audit rows have them. */
export const valuesOf = <F extends Fields>(fields: F, record: { [K in keyof F]: unknown }) =>
  mapped(fields, (_field, name) => {
    const value = record[name]
    return value instanceof Date ? value.toISOString() : (value ?? undefined)
  }) as z.output<z.ZodObject<Answers<F>>>

/** The stored values of a record, for another record with the same fields. */
export const storedValues = <F extends Fields>(fields: F, record: Values<F>) =>
  mapped(fields, (_field, name) => record[name]) as Values<F>

/** A copy of a record without the fields of these names. */
export function without<T extends object, N extends object>(record: T, names: N): Omit<T, keyof N> {
  const rest = { ...record } as Record<string, unknown>
  for (const name of Object.keys(names)) delete rest[name]
  return rest as Omit<T, keyof N>
}
