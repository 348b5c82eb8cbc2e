import { expect, test } from '@jest/globals'
import { makeKey, openKeyring } from '../../src/domain/kernel/keyring.ts'
import { openState, sealState } from '../../src/mcp/request-state.ts'

const [key, newKey] = [makeKey(), makeKey()]
const now = new Date('2027-03-10T14:30:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const state = { tool: 'apply', plan_id: 17, version: 3, token_id: 5 }
const sealed = sealState(openKeyring(key), state, now)

test('another process of the service opens the state, also after a rotation of the keys', () => {
  expect(openState(openKeyring(key), sealed, later(5), 5)).toEqual(state)
  expect(openState(openKeyring(`${newKey},${key}`), sealed, later(5), 5)).toEqual(state)
})

test('a client cannot read the state', () => {
  expect(Buffer.from(sealed.split('.')[1]!, 'base64').toString('latin1')).not.toContain('apply')
})

const ownSecret = openKeyring(key).encrypt(JSON.stringify({ ...state, until: later(60).getTime() }), 'another use')

test.each([
  ['is too old', () => openState(openKeyring(key), sealed, later(61), 5)],
  ['belongs to another token', () => openState(openKeyring(key), sealed, now, 6)],
  ['has another key', () => openState(openKeyring(newKey), sealed, now, 5)],
  ['was changed', () => openState(openKeyring(key), sealed.replace(/.{4}$/, 'AAAA'), now, 5)],
  ['is another secret', () => openState(openKeyring(key), Object.values(ownSecret).join('.'), now, 5)],
  ['is empty', () => openState(openKeyring(key), '', now, 5)],
])('a state that %s is refused', (_name, open) => {
  expect(open).toThrow()
})
