import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { parseInput } from '../../src/domain/kernel/parse.ts'
import { email, idInPath, line, moment, webUrl } from '../../src/domain/kernel/schema.ts'
import { link, secureLink } from '../../src/domain/settings/fields.ts'

const wordsOf = (schema: z.ZodType, value: unknown): string => {
  try {
    parseInput(z.object({ said: schema }), { said: value })
  } catch (error) {
    return (error as Error).message.replace(/^said(\.\w+)*: /, '')
  }
  throw new Error('it was accepted')
}

test.each([
  [z.string(), undefined, 'is required'],
  [z.enum(['a', 'b']), undefined, 'is required: one of "a", "b"'],
  [z.literal('a'), undefined, 'is required'],
  [z.object({ inner: z.enum(['a']) }), {}, 'is required'],
  [moment(), undefined, 'is required'],
  [z.union([z.iso.date(), z.iso.datetime()], { message: 'must be a date' }), undefined, 'is required'],
  [z.enum(['a', 'b'], { message: 'must be a or b' }), undefined, 'is required'],
  [z.array(z.string(), 'at least one item is required'), undefined, 'at least one item is required'],
  [moment(), 'soon', 'must be an ISO 8601 date-time with an offset'],
  [moment(), null, 'must be an ISO 8601 date-time with an offset'],
  [email(), 'ada', 'must be an e-mail address such as ada@example.com'],
  [webUrl(), 'ftp://example.com', 'must be a URL that starts with http:// or https://'],
  [link(), 'ftp://example.com', 'must be a URL that starts with http:// or https://'],
  [secureLink(), 'http://example.com', 'must be an https address of one host, without a user name or password'],
  [z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
  [z.literal('a'), 'c', 'must be "a"'],
  [z.string(), null, 'must be a text'],
  [z.number(), '1', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.strictObject({}), 1, 'must be an object'],
  [z.record(z.string(), z.string()), 1, 'must be an object'],
  [z.array(z.string()), 'a', 'must be a list'],
  [idInPath(), 'x', 'must be a number'],
  [z.int().min(1), 0, 'must be at least 1'],
  [z.number().max(100), 100.1, 'must be at most 100'],
  [z.number().gt(0), 0, 'must be more than 0'],
  [z.number().lt(1), 1, 'must be less than 1'],
  [line(5), ' ', 'must hold at least 1 character'],
  [line(5), 'abcdef', 'must hold at most 5 characters'],
  [z.array(z.string()).min(1), [], 'must hold at least 1 entry'],
  [z.array(z.string()).max(2), ['', '', ''], 'must hold at most 2 entries'],
  [z.string().min(3, 'is too short for a name'), 'a', 'is too short for a name'],
])('%# what a client reads of a wrong value', (schema, value, words) => {
  expect(wordsOf(schema, value)).toBe(words)
})
