import { expect, test } from '@jest/globals'
import type { Found, Situation, Slots } from '../../../src/domain/agent/language/types.ts'
import { understand } from '../../../src/domain/agent/language/understand.ts'
import { blindPhrasings } from './blind-phrasings.ts'
import { situation } from './situation.ts'

test('the blind set has a hundred different phrasings, for fifteen of which no plan may follow', () => {
  expect(new Set(blindPhrasings.map(({ query }) => query)).size).toBe(100)
  expect(blindPhrasings.filter(({ expected }) => expected.kind === 'none')).toHaveLength(15)
})

// When the planner met this set for the first time, it understood 99 of the hundred.
test.each(blindPhrasings)('$query', async ({ query, memory, expected }) => {
  const understood = await understand(query, { ...situation, ...(memory ? { memory } : {}) } as Situation)
  if (expected.kind === 'none' || understood.kind === 'none') {
    expect([understood.kind === 'request', expected.kind]).toEqual([false, 'none'])
    return
  }
  const { kind, intent, slots } = understood
  expect({ kind, intent, slots: shortened(slots) }).toEqual(expected)
})

/** Records by their ids, and the words that name several records or none. */
const shortened = (slots: Slots): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(slots).map(([name, value]) => [name, Array.isArray(value) ? value.map(idOf) : idOf(value)]),
  )

function idOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const found = value as Found
  if ('id' in found) return found.id
  return found.candidates.length > 0 ? { candidates: found.candidates.map(({ id }) => id) } : { text: found.text }
}
