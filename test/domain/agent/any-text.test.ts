import { setImmediate } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { understand } from '../../../src/domain/agent/language/understand.ts'
import { situation } from './situation.ts'

const kinds = ['Payment', 'Checkout', 'Search', 'Login', 'Edge', 'Proxy', 'Mail', 'Data']
const large = {
  ...situation,
  items: Array.from({ length: 1000 }, (_one, index) => ({
    id: 1000 + index,
    name: `${kinds[index % 8]} service ${['eu', 'us', 'ap', 'prod', 'staging'][index % 5]} node ${index}`,
    aliases: [`svc-${index}`],
  })),
}

const words =
  `open resolve incident 41 maintenance tomorrow at 22:00 for two hours the checkout is slow and , . : ? " ' \` - ( { if not
  please can you i would like to on with message title because service node eu it that 10 to until pause beat Search why no
  reminder how many < > @ # \n 14 march next friday in the last all status of everything reviews`.split(' ')

const sentence = fc.array(fc.constantFrom(...words), { maxLength: 80 }).map((list) => list.join(' '))
const text = fc.oneof(
  sentence,
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 300 }),
)

test('any text is understood or not, and never fails', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (query) => {
      const { kind, unclear } = await understand(query, situation)
      expect(['question', 'request', 'none']).toContain(kind)
      for (const phrase of unclear) expect(phrase.trim()).toBe(phrase)
    }),
    { numRuns: 2000 },
  )
})

test('a text is understood in the same way each time', async () => {
  await fc.assert(
    fc.asyncProperty(sentence, async (query) =>
      expect(await understand(query, situation)).toEqual(await understand(query, situation)),
    ),
  )
})

/** Each repeats a part up to the longest query. A cost that grew with the square of the length would take minutes. */
const repeated = [
  ...['and resolve ', 'is checkout up? ', 'resolve it, ', 'service node eu ', '\' " ', '{', '`', '<@', 'from 10 to '],
  ...['a-', '1:', 'not ', 'get resolved ', 'the incident ', 'with message ', 'if you could ', 'payment '],
]

test('the longest queries on a page with a thousand items are understood or not', async () => {
  for (const part of repeated) {
    const { kind } = await understand(part.repeat(4000).slice(0, 4000), large)
    expect(['question', 'request', 'none']).toContain(kind)
  }
})

test('a long query leaves the event loop to others between its clauses', async () => {
  let turns = 0
  let isRunning = true
  const counting = (async () => {
    for (; isRunning; turns += 1) await setImmediate()
  })()
  await understand('Set checkout to major outage and open an incident about payments. '.repeat(20), situation)
  isRunning = false
  await counting
  expect(turns).toBeGreaterThan(30)
})
