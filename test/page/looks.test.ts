import { expect, test } from '@jest/globals'
import { appearanceFinder, inkOn } from '../../src/page/status-appearance.ts'
import { types } from './samples.ts'

test.each([
  ['operational', 'check', 'Operational'],
  ['maintenance', 'minus', 'Maintenance'],
  ['degraded', 'alert', 'Degraded'],
  ['major_outage', 'cross', 'Major outage'],
  ['resolved', 'check', 'Resolved'],
  ['long_forgotten', 'dot', 'Long forgotten'],
])('%s is drawn as a %s and called %s', (status, shape, name) => {
  expect(appearanceFinder(types)(status)).toMatchObject({ shape, name })
})

test('a status type may name its shape', () => {
  expect(appearanceFinder([{ ...types[1]!, icon: 'wrench' }])('maintenance').shape).toBe('wrench')
})

test('a colour that is none never reaches the style', () => {
  const look = appearanceFinder([{ ...types[0]!, color: 'red}</style><script>' }])('operational')
  expect(look.color).toBe('#868e96')
})

test.each([
  ['#000000', '#fff'],
  ['#c92a2a', '#fff'],
  ['#2f9e44', '#fff'],
  ['#e8a500', '#16191d'],
  ['#ffffff', '#16191d'],
])('on %s the sign is %s', (color, ink) => {
  expect(inkOn(color)).toBe(ink)
})
