import { expect, test } from '@jest/globals'
import { understand } from '../../../src/domain/agent/language/understand.ts'
import { compact, complete } from './compact.ts'
import { laterNoPlanPhrasings, laterPhrasings } from './later-phrasings.ts'
import { noPlanPhrasings } from './no-plan-phrasings.ts'
import { phrasings } from './phrasings.ts'
import { situation } from './situation.ts'

const phrased = [...phrasings, ...laterPhrasings].map(([query, intent, slots, more]) => ({
  query,
  intent,
  slots,
  ...more,
}))

test.each(phrased)('$query', async ({ query, intent, slots = {}, memory, unclear = [] }) => {
  const understood = await understand(query, { ...situation, ...(memory ? { memory } : {}) })
  expect(understood.kind === 'none' ? understood : { ...understood, slots: compact(understood.slots) }).toEqual({
    kind: expect.stringMatching(/^(question|request)$/),
    intent,
    slots: complete(slots),
    unclear,
  })
})

const refused = [
  ...noPlanPhrasings.map(([query, because]) => ({ query, because })),
  ...laterNoPlanPhrasings.map((query) => ({ query, because: undefined })),
]

test.each(refused)('no request: $query', async ({ query, because }) => {
  const understood = await understand(query, situation)
  expect(understood.kind).not.toBe('request')
  if (because) expect(understood).toMatchObject({ kind: 'none', because })
})
