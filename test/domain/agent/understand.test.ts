import { expect, test } from '@jest/globals'
import { understand } from '../../../src/domain/agent/language/understand.ts'
import { compact, complete } from './compact.ts'
import { noPlanPhrasings } from './no-plan-phrasings.ts'
import { phrasings } from './phrasings.ts'
import { situation } from './situation.ts'

test.each(phrasings)('%s', (query, intent, slots = {}, { memory, unclear = [] } = {}) => {
  const understood = understand(query, { ...situation, ...(memory ? { memory } : {}) })
  expect(understood.kind === 'none' ? understood : { ...understood, slots: compact(understood.slots) }).toEqual({
    kind: expect.stringMatching(/^(question|request)$/),
    intent,
    slots: complete(slots),
    unclear,
  })
})

const refused = noPlanPhrasings.map(([query, because]) => [query, because ?? null] as const)

test.each(refused)('no request: %s', (query, because) => {
  const understood = understand(query, situation)
  expect(understood.kind).not.toBe('request')
  if (because) expect(understood).toMatchObject({ kind: 'none', because })
})
