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
  newValues,
  resetValues,
  valuesOf,
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

test('two records do not share a default', () => {
  const policies = { policies: field(z.record(z.string(), z.string()), { default: {} }) }
  expect(defaultsOf(policies, {}).policies).not.toBe(defaultsOf(policies, {}).policies)
})
