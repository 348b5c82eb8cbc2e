import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import {
  changedValues,
  compact,
  defaultsOf,
  field,
  inAnswer,
  inChange,
  inCreate,
  lacking,
  newValues,
  resetValues,
  translatable,
  valuesOf,
  without,
} from '../../src/domain/kernel/fields.ts'

const fields = {
  name: field(z.string().max(3), { required: true, compact: true }),
  text: field(z.string().max(3), { default: '', nullClears: true, compact: true }),
  note: field(z.string().max(3).nullable(), { default: null }),
  count: field(z.int().min(1).describe('How many'), { default: 1 }),
  list: field(z.array(z.int()), {}),
  paused: field(z.boolean(), { default: false, keptByPut: true }),
  until: field(z.iso.datetime().nullable(), { default: null }),
}
const defaults = () => defaultsOf(fields, { list: [1] })

const create = z.strictObject(inCreate(fields))
const change = z.strictObject(inChange(fields))
const answer = z.strictObject(inAnswer(fields))

describe('requests', () => {
  test.each([
    ['a create without a required field', create, {}, false],
    ['a create with the required field', create, { name: 'a' }, true],
    ['a create with null for a default', create, { name: 'a', text: null }, false],
    ['a create with null for a field that may be null', create, { name: 'a', note: null }, true],
    ['a change without fields', change, {}, true],
    ['a change with null for the default', change, { text: null }, true],
    ['a change with null for a field that has no null', change, { count: null }, false],
    ['a change beyond the bounds', change, { text: 'long' }, false],
  ])('%s', (_what, schema, value, isFine) => {
    expect(schema.safeParse(value).success).toBe(isFine)
  })
})

test('an answer has no bounds and no descriptions, and only the fields of compact lists are always there', () => {
  expect(answer.safeParse({ name: 'longer', text: 'longer', count: 0 }).success).toBe(true)
  expect(answer.safeParse({ name: 'a' }).success).toBe(false)
  expect(answer.safeParse({ name: 'a', text: '', note: null }).success).toBe(false)
  expect(answer.shape.count.description).toBeUndefined()
  expect(Object.keys(compact(fields))).toEqual(['name', 'text'])
})

test('a new record has the values of the request and the defaults of the other fields', () => {
  expect(newValues(fields, { name: 'a', note: null, count: 2 }, defaults())).toEqual({
    ...{ name: 'a', text: '', note: null, count: 2, list: [1], paused: false, until: null },
  })
})

test('a change has the fields of the request alone, and null sets the default', () => {
  expect(changedValues(fields, { text: null, note: null, count: 3 })).toEqual({ text: '', note: null, count: 3 })
})

test('a replacement resets every field that is not required, except those that a PUT keeps', () => {
  expect(resetValues(fields, defaults())).toEqual({ text: '', note: null, count: 1, list: [1], until: null })
})

test('the values of a record leave null out and have moments as texts', () => {
  const until = new Date('2026-11-21T12:00:00Z')
  const record = { name: 'a', text: '', note: null, count: 1, list: [], paused: false, until, other: 1 }
  expect(valuesOf(fields, record)).toEqual({
    ...{ name: 'a', text: '', note: undefined, count: 1, list: [], paused: false, until: until.toISOString() },
  })
})

describe('of a record that readers see', () => {
  const shown = {
    title: field(z.string().min(1), { required: true, compact: true, public: true, translatable: true }),
    impact: field(z.string().max(3), { default: null, nullClears: true, compact: true, public: true }),
    body: field(z.string(), { default: '', saysDefault: true, nullClears: true, translatable: true }),
    minutes: field(z.int().nullable(), {}),
  }

  test('a text without a value takes null in a change, and may be absent in compact lists', () => {
    const parsed = (shape: z.ZodRawShape, value: object) => z.object(shape).partial().safeParse(value).success
    expect(parsed(inCreate(shown), { impact: null })).toBe(false)
    expect(parsed(inChange(shown), { impact: null })).toBe(true)
    expect(z.strictObject(inAnswer(shown)).safeParse({ title: 'a' }).success).toBe(true)
    expect(changedValues(shown, { impact: null, body: null })).toEqual({ impact: null, body: '' })
  })

  test('null for a field whose default is computed stays null', () => {
    const defaults = defaultsOf(shown, { minutes: 5 })
    const values = { title: 'a', impact: null, body: '' }
    expect(newValues(shown, { title: 'a' }, defaults)).toEqual({ ...values, minutes: 5 })
    expect(newValues(shown, { title: 'a', minutes: null }, defaults)).toEqual({ ...values, minutes: null })
    expect(changedValues(shown, { minutes: null })).toEqual({ minutes: null })
  })

  test('the document names a default that the description says', () => {
    const { properties } = z.toJSONSchema(z.object(inCreate(shown)))
    expect(properties).toMatchObject({ body: { default: '' } })
    expect(properties!.impact).not.toHaveProperty('default')
    expect(z.object(inCreate(shown)).parse({ title: 'a' })).toEqual({ title: 'a' })
  })

  test('readers see the public fields, and translations have some of the texts', () => {
    expect(Object.keys(lacking(shown, 'public'))).toEqual(['body', 'minutes'])
    expect(Object.keys(lacking(shown, 'compact'))).toEqual(['body', 'minutes'])
    expect(Object.keys(translatable(shown))).toEqual(['title', 'body'])
    const record = { id: 1, title: 'a', impact: 'b', body: 'c', minutes: 5 }
    expect(without(record, lacking(shown, 'public'))).toEqual({ id: 1, title: 'a', impact: 'b' })
  })
})

test('two records do not share a default', () => {
  const policies = { policies: field(z.record(z.string(), z.string()), { default: {} }) }
  expect(defaultsOf(policies, {}).policies).not.toBe(defaultsOf(policies, {}).policies)
})
