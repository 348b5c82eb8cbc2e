import { expect, test } from '@jest/globals'
import { moves, restoredState, stateAfter, states } from '../../src/domain/subscribers/rules.ts'

test.each([
  ['confirm', ['active', 'active', 'active', '-', '-']],
  ['unsubscribe', ['unsubscribed', 'unsubscribed', 'unsubscribed', 'suppressed', 'unsubscribed']],
  ['suppress', ['suppressed', 'suppressed', 'suppressed', 'suppressed', 'suppressed']],
  ['disable', ['disabled', 'disabled', '-', '-', 'disabled']],
  ['enable', ['-', 'active', '-', '-', 'active']],
] as const)('%s of a pending, active, unsubscribed, suppressed and disabled subscriber', (move, after) => {
  expect(states.map((state) => stateAfter(move, state) ?? '-')).toEqual(after)
})

test('the table has every move', () => {
  expect(Object.keys(moves)).toEqual(['confirm', 'unsubscribe', 'suppress', 'disable', 'enable'])
})

const at = (day: number) => new Date(Date.UTC(2027, 0, day))

test.each([
  ['never confirmed', null, null, 'pending'],
  ['confirmed', at(1), null, 'active'],
  ['unsubscribed after the confirmation', at(1), at(2), 'unsubscribed'],
  ['confirmed again after that', at(3), at(2), 'active'],
  ['unsubscribed without a confirmation', null, at(2), 'unsubscribed'],
])('a restored subscriber that was %s', (_name, confirmed_at, unsubscribed_at, state) => {
  expect(restoredState({ confirmed_at, unsubscribed_at })).toBe(state)
})
