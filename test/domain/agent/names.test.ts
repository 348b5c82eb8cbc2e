import { expect, test } from '@jest/globals'
import type { Situation } from '../../../src/domain/agent/language/types.ts'
import { understand } from '../../../src/domain/agent/language/understand.ts'
import { compact } from './compact.ts'
import { situation } from './situation.ts'

async function slotOf(query: string, slot: string, change: Partial<Situation> = {}) {
  const understood = await understand(query, { ...situation, ...change })
  return understood.kind === 'none' ? understood.because : compact(understood.slots)[slot]
}

const items: [name: string, expected: unknown][] = [
  ['Payments API', 4],
  ['payments api', 4],
  ['payments-api', 4],
  ['paymentsapi', 4],
  ['the Payment API', 4],
  ['payments', 4],
  ['PAY', 4],
  ['Paymnets API', 4],
  ['EU data center', 8],
  ['the eu datacentre', 8],
  ['datacenter', 8],
  ['mobile app', 7],
  ['the mobile apps', 7],
  ['Mobil App', 7],
  ['chekout', 3],
  ['email', 10],
  ['e-mails', 10],
  ['"Checkout"', 3],
  ['`payments-api`', 4],
  ['the login component', 9],
  ['Wesbite', 6],
  ['warehouse', { unknown: 'warehouse' }],
  ['the blue warehouse', { unknown: 'blue warehouse' }],
]

test.each(items)('the item %s', async (name, expected) => {
  expect(await slotOf(`is ${name} down?`, 'item')).toEqual(expected)
  expect(await slotOf(`set ${name} to major outage`, 'item')).toEqual(expected)
})

const incidents: [name: string, expected: unknown][] = [
  ['41', 41],
  ['#41', 41],
  ['incident 41', 41],
  ['incident #41', 41],
  ['incident no 41', 41],
  ['INC-41', 41],
  ['Checkout is slow', 41],
  ['"checkout is slow"', 41],
  ['the checkout slow incident', 41],
  ['the slow checkout incident', 41],
  ['the incident on Checkout', 41],
  ['the email incident', 42],
  ['the delayed emails', 42],
  ['emails are delaid', 42],
  ['the login incident', 37],
  ['incident 51', { unknown: '51' }],
  ['the incident "Fire in Berlin"', { unknown: 'Fire in Berlin' }],
  ['the warehouse incident', { unknown: 'warehouse' }],
]

test.each(incidents)('resolve %s', async (name, expected) => {
  expect(await slotOf(`resolve ${name}`, 'incident')).toEqual(expected)
})

const twins = [
  { id: 43, name: 'Checkout fails in Europe', state: 'open', items: [3] },
  { id: 44, name: 'Checkout fails in Asia', state: 'open', items: [3] },
  { id: 45, name: 'Checkout fails in Europe', state: 'resolved', items: [3] },
]

test('names that fit several records equally well give candidates', async () => {
  const change = { incidents: twins }
  expect(await slotOf('resolve the checkout incident', 'incident', change)).toEqual({ oneOf: [43, 44] })
  expect(await slotOf('resolve checkout fails in asia', 'incident', change)).toBe(44)
  expect(await slotOf('show checkout fails in europe', 'incident', change)).toEqual({ oneOf: [43, 45] })
})

test('a name in the same letters wins over a name in other letters', async () => {
  const change = {
    items: [
      { id: 1, name: 'api' },
      { id: 2, name: 'API' },
    ],
  }
  expect(await slotOf('is API down?', 'item', change)).toBe(2)
  expect(await slotOf('is Api down?', 'item', change)).toEqual({ oneOf: [1, 2] })
})

test('an exact name wins over a longer name with the same word', async () => {
  const change = {
    items: [
      { id: 1, name: 'Search backend' },
      { id: 2, name: 'Search' },
    ],
  }
  expect(await slotOf('is search down?', 'item', change)).toBe(2)
  expect(await slotOf('is the search backend down?', 'item', change)).toBe(1)
  expect(await slotOf('is backend down?', 'item', change)).toBe(1)
})

test('names can have words of requests, times and other alphabets', async () => {
  const named = ['Open orders', 'Monday report', 'Zahlungen & Rückläufer', 'Поиск', 'Region 2']
  const change = { items: named.map((name, index) => ({ id: index + 1, name })) }
  const found = named.map((name) => slotOf(`is ${name} down?`, 'item', change))
  expect(await Promise.all(found)).toEqual([1, 2, 3, 4, 5])
  expect(await slotOf('is Zahlungen und Ruckläufer down?', 'item', change)).toBe(3)
  expect(await slotOf('set Open orders to major outage', 'item', change)).toBe(1)
})

test('function words and words of the request name an item only in upper case or quotes', async () => {
  const change = {
    items: [
      { id: 1, name: 'Austria', aliases: ['AT'] },
      { id: 2, name: 'Incidents' },
      { id: 3, name: 'Checkout' },
    ],
  }
  expect(await slotOf('open an incident at checkout', 'items', change)).toEqual([3])
  expect(await slotOf('open an incident on AT', 'items', change)).toEqual([1])
  expect(await slotOf('is AT down?', 'item', change)).toBe(1)
  expect(await slotOf('is "at" down?', 'item', change)).toBe(1)
})
