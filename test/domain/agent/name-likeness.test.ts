import { expect, test } from '@jest/globals'
import { LEAST_LIKENESS, likeness } from '../../../src/domain/agent/tools/name-rules.ts'

const names = [
  'Shop',
  'Checkout',
  'Checkout EU',
  'Payments API',
  'Search',
  'Search latency',
  'Störung in Zürich',
  'Database upgrade',
  'Mail server move',
]

/** The names that a search shows, the best first. */
const found = (text: string): string[] =>
  names
    .map((name, index) => ({ name, likeness: likeness(text, [name], index + 1) }))
    .filter((one) => one.likeness >= LEAST_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ name }) => name)

test.each([
  ['checkout', 'Checkout'],
  ['CHECKOUT', 'Checkout'],
  ['check-out', 'Checkout'],
  ['chekcout', 'Checkout'],
  ['checkout eu', 'Checkout EU'],
  ['payment', 'Payments API'],
  ['payments-api', 'Payments API'],
  ['paymentsapi', 'Payments API'],
  ['search latency', 'Search latency'],
  ['latency of search', 'Search latency'],
  ['search', 'Search'],
  ['storung zurich', 'Störung in Zürich'],
  ['upgrade of the database', 'Database upgrade'],
  ['databse upgrade', 'Database upgrade'],
  ['move mail', 'Mail server move'],
  ['9', 'Mail server move'],
])('%s finds %s first', (text, name) => {
  expect(found(text)[0]).toBe(name)
})

test.each(['', ' ', '!', 'kubernetes', 'xq', '99'])('%j finds nothing', (text) => {
  expect(found(text)).toEqual([])
})

test('other names count as the name, and long texts are compared in bounded time', () => {
  expect(likeness('PAY', ['Payments API', 'PAY'], 1)).toBeGreaterThan(likeness('PAY', ['Payments API'], 1))
  expect(likeness('a'.repeat(100_000), ['b '.repeat(50_000)], 1)).toBe(0)
})
