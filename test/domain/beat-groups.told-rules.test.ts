import { describe, expect, test } from '@jest/globals'
import {
  endedByHand,
  hear,
  type Member,
  partingOf,
  silenceOf,
  takesOver,
  unheard,
} from '../../src/domain/beats/groups/told-rules.ts'
import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import type { Told } from '../../src/persistence/entities/beat-group.ts'

/** 1 to 9 are beats; `c`, `w`, `h` are stages, and `-` is none. What is in brackets is held back. */
const stages: Record<string, Stage | null> = { c: 'critical', w: 'warning', h: 'healthy', '-': null }
const member = (how: string, index: number): Member => {
  const held = how.startsWith('(')
  const hold = held ? { because: 'muted' } : null
  return { id: index + 1, name: 'API', stage: stages[how.replace(/[()]/g, '')]!, items: [index + 1], hold }
}
const membersOf = (said: string) => (said ? said.split(' ').map(member) : [])

/** `1c` was told as critical; `1c!` is gone, and what told `1c.` was ended. */
const toldOf = (said: string): Told[] =>
  (said ? said.split(' ') : []).map(([id, stage, more]) => ({
    ...{ beat_id: Number(id), name: 'API', stage: stages[stage!] as Told['stage'], items: [Number(id)] },
    ...(more === '!' ? { gone: true as const } : {}),
    ...(more === '.' ? { ended: true as const } : {}),
  }))
const inShort = (told: Told[]) =>
  told.map(({ beat_id, stage, gone, ended }) => `${beat_id}${stage[0]}${gone ? '!' : ''}${ended ? '.' : ''}`).join(' ')

test.each([
  ['h h', '', 'healthy', true, ''],
  ['h c', '', 'critical', true, '2c'],
  ['w c', '1w', 'critical', true, '1w 2c'],
  ['- -', '', null, false, ''],
  ['- h', '', 'healthy', true, ''],
  // Held back, and never told of: neither worse nor better.
  ['h (c)', '', 'healthy', true, ''],
  ['w (c)', '', 'warning', true, '1w'],
  ['(c)', '', null, false, ''],
  // Held back after it was told of: that stands, whatever it shows.
  ['h (c)', '2c', 'critical', false, '2c'],
  ['h (h)', '2c', 'critical', false, '2c'],
  ['w (h)', '2c', 'critical', false, '1w 2c'],
  ['c (h)', '2c', 'critical', true, '1c 2c'],
  ['c (h)', '2w', 'critical', true, '1c 2w'],
  ['h h', '1c 2c', 'healthy', true, ''],
  // Not known says nothing.
  ['h -', '2c', 'critical', false, '2c'],
  // Deleted.
  ['h', '9c!', 'critical', false, '9c!'],
  ['c', '9w!', 'critical', true, '1c 9w!'],
  // What somebody has ended stays ended until it is worse, or was well.
  ['h c', '2c.', 'healthy', true, '2c.'],
  ['h w', '2c.', 'healthy', true, '2c.'],
  ['h c', '2w.', 'critical', true, '2c'],
  ['h h', '2c.', 'healthy', true, ''],
  ['c', '1c.', null, false, '1c.'],
] as const)('of %s, having told %s, it tells %s', (members, told, stage, witnessed, next) => {
  const heard = hear(membersOf(members), toldOf(told))
  expect([heard.stage, heard.witnessed, inShort(heard.told)]).toEqual([stage, witnessed, next])
})

test('those that are heard are those of whom nothing is held back or ended', () => {
  expect(hear(membersOf('c (c) c h'), toldOf('3c.')).heard).toEqual([1, 4])
  expect(inShort(unheard(membersOf('c (c) c'), toldOf('1c 2c 3c. 9c!')))).toBe('2c 9c!')
  expect(inShort(endedByHand(toldOf('1c 2w 9c!')))).toBe('1c. 2w.')
})

test.each([
  ['1c', 1, false, true, 'takes the incident'],
  ['1c', 1, true, true, 'stays'],
  ['1c', 1, false, false, 'leaves the incident'],
  ['1c', 1, true, false, 'leaves the incident'],
  ['1c 2w', 1, false, true, 'leaves the incident'],
  ['1c 2w', 1, true, true, 'leaves the incident'],
  ['1c 2w.', 1, false, true, 'takes the incident'],
  ['1c 9w!', 1, false, true, 'leaves the incident'],
  ['1c.', 1, false, true, 'nothing'],
  ['2c', 1, false, true, 'nothing'],
] as const)('having told %s, the beat %d that leaves, deleted %s, open %s: %s', (told, id, gone, open, parting) => {
  expect(partingOf(id, toldOf(told), gone, open)).toBe(parting)
})

const posts = { public_post: true }
test.each([
  [{}, false],
  [{ critical: posts }, false],
  [{ recovery: posts }, false],
  [{ warning: posts, recovery: posts }, false],
  [{ critical: {}, recovery: posts }, false],
  [{ critical: posts, recovery: { public_post: false } }, false],
  [{ critical: posts, recovery: posts }, true],
])('by the policies %j it takes an incident of a critical beat over: %s', (policies, taken) => {
  expect(takesOver(policies, 'critical')).toBe(taken)
})

describe('a change is not told', () => {
  const nobody = 'nobody knows whether it works again'
  test.each([
    ['c h', '', 'healthy', 'critical', 1, null],
    ['h h', '1c', 'critical', 'healthy', 1, null],
    ['c h', '1c', 'critical', 'critical', 1, 'what it tells of is that already'],
    ['(c) h', '', 'healthy', 'critical', 1, 'the beat "API" (1), which is critical, is held back: muted'],
    ['c h', '1c.', 'healthy', 'critical', 1, 'a person has ended the incident of the beat "API" (1)'],
    ['(h) h', '1c', 'critical', 'healthy', 1, 'the beat "API" (1) is held back: muted'],
    ['h', '9c!', 'critical', 'healthy', 1, `the beat "API" (9) was deleted while it was critical: ${nobody}`],
  ] as const)('of %s, having told %s and acted as %s, when it becomes %s by %d: %s', (...row) => {
    const [said, before, acted, to_stage, beat_id, because] = row
    const members = membersOf(said)
    const silence = silenceOf({ members, heard: hear(members, toldOf(before)), acted, parted: [] })
    expect(silence({ to_stage, facts: { beat_id } })).toBe(because)
  })

  test('of a member that was switched off', () => {
    const off = { ...member('(c)', 0), hold: { because: 'disabled' } }
    const members = [off, member('h', 1)]
    const silence = silenceOf({ members, heard: hear(members, toldOf('1c')), acted: 'critical', parted: [] })
    const because = `the beat "API" (1) was switched off while it was critical: ${nobody}`
    expect(silence({ to_stage: 'healthy', facts: { beat_id: 2 } })).toBe(because)
  })

  test('as one left that it told of', () => {
    const members = membersOf('h')
    const heard = hear(members, [])
    const silence = silenceOf({ members, heard, acted: 'healthy', parted: ['the beat 9 left'] })
    expect(silence({ to_stage: 'healthy', facts: { beat_id: 1 } })).toBe('the beat 9 left')
  })
})
