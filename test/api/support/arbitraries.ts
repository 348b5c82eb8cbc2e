import fc, { type Arbitrary } from 'fast-check'
import type { Document } from './document.ts'

type Schema = Document

/** Values that have broken other services before. */
const nasty = fc.constantFrom<unknown>(
  ...[null, '', ' ', '\0', '\ud800', 'null', 'NaN', '٣', '🔥', '"; drop table incident; --', '../../etc/passwd', '%00'],
  ...[0, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, true, false],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-02-29T00:00:00Z', '2026-01-01T00:00:00+14:00'],
  ...[[], {}, [null], [[]], { __proto__: null }, { constructor: 1 }, 'x'.repeat(70_000)],
)

export const wild: Arbitrary<unknown> = fc.oneof(nasty, fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }))

/** A value that the schema allows. */
function valid(schema: Schema, document: Document, depth = 0): Arbitrary<unknown> {
  if (schema.$ref) return valid(resolve(schema.$ref, document), document, depth)
  if (schema.readOnly) return wild
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choice = schema.anyOf ?? schema.oneOf
  if (choice)
    return fc.oneof(...(depth > 3 ? choice.slice(0, 1) : choice).map((one: Schema) => valid(one, document, depth + 1)))
  const types = [schema.type ?? 'null'].flat()
  return fc.oneof(...types.map((type: string) => ofType(type, schema, document, depth)))
}

function ofType(type: string, schema: Schema, document: Document, depth: number): Arbitrary<unknown> {
  const { minimum = -(2 ** 31), maximum = 2 ** 31 - 1 } = schema
  if (type === 'integer')
    return fc.oneof(
      fc.integer({ min: minimum, max: Math.min(maximum, minimum + 3) }),
      fc.integer({ min: minimum, max: maximum }),
    )
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'string') return text(schema)
  if (type === 'array') {
    const { minItems = 0, maxItems = 3 } = schema
    const item = schema.items && depth < 4 ? valid(schema.items, document, depth + 1) : fc.constant(1)
    return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) })
  }
  return object(schema, document, depth)
}

function text({ format, pattern, minLength = 0, maxLength = 60 }: Schema): Arbitrary<string> {
  if (format === 'date-time') {
    const range = { min: new Date('1971-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true }
    return fc.date(range).map((date) => date.toISOString())
  }
  if (format === 'uri') return fc.webUrl()
  if (format === 'email') return fc.constant('someone@example.com')
  if (pattern) return fc.stringMatching(new RegExp(pattern)).map((value) => value.slice(0, Math.max(maxLength, 1)))
  const short = Math.min(maxLength, Math.max(minLength, 60))
  return fc.oneof(
    fc
      .constantFrom('degraded', 'API', 'resolved')
      .filter((word) => word.length <= maxLength && word.length >= minLength),
    fc.string({ minLength, maxLength: short, unit: 'grapheme' }),
  )
}

function object(schema: Schema, document: Document, depth: number): Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  if (properties.length > 0) {
    const required = new Set<string>(schema.required ?? [])
    const all = Object.fromEntries(properties.map(([name, one]) => [name, valid(one, document, depth + 1)]))
    const optional = properties.map(([name]) => name).filter((name) => !required.has(name))
    return fc.tuple(fc.record(all), fc.subarray(optional)).map(([value, kept]) => {
      const names = new Set([...required, ...kept])
      return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
    })
  }
  const inner = schema.additionalProperties
  if (inner && typeof inner === 'object' && depth < 4) {
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), valid(inner, document, depth + 1), { maxKeys: 3 })
  }
  return fc.constant({})
}

/** Almost right: one field is gone, another, or too many. */
function nearlyValid(schema: Schema, document: Document): Arbitrary<unknown> {
  return fc
    .tuple(valid(schema, document), fc.nat(), wild, fc.constantFrom('drop', 'spoil', 'add'))
    .map(([value, pick, other, how]) => {
      if (value === null || typeof value !== 'object') return other
      const entries = Object.entries(value)
      if (how === 'add' || entries.length === 0) return { ...value, surplus: other }
      const index = pick % entries.length
      return Object.fromEntries(
        entries.flatMap(([name, one], n) => (n !== index ? [[name, one]] : how === 'drop' ? [] : [[name, other]])),
      )
    })
}

/** Mostly right, sometimes almost, rarely not at all. */
export const anything = (schema: Schema, document: Document): Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: valid(schema, document) },
    { weight: 3, arbitrary: nearlyValid(schema, document) },
    { weight: 1, arbitrary: wild },
  )

function resolve(reference: string, document: Document): Schema {
  return reference
    .split('/')
    .slice(1)
    .reduce((node, name) => node[name], document)
}
