import { describe, expect, test } from '@jest/globals'
import { bannerWords } from '../../src/domain/beats/actions/banners.ts'
import { decide, statusOf, type Told, verdictOn } from '../../src/domain/beats/actions/decide-rules.ts'
import { bounded, defaultWords, listed } from '../../src/domain/beats/actions/wording-rules.ts'
import { flappingInWords, flappingRuleOf, flappingUntil } from '../../src/domain/beats/stage/flapping-rules.ts'
import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import { suppressedByMaintenance, suppressedBySwitch } from '../../src/domain/beats/stage/suppression-rules.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

describe('what a change of stage tells the public', () => {
  const over = { nothing: 'its incident is over already' }
  const none = { nothing: 'it has no open incident' }
  const better = { nothing: 'the new stage is milder, and its incident is over already' }
  test.each([
    ['healthy', 'warning', 'none', 'open'],
    [null, 'critical', 'none', 'open'],
    ['critical', 'warning', 'none', 'open'],
    ['healthy', 'critical', 'open', 'update'],
    ['critical', 'warning', 'open', 'update'],
    ['healthy', 'warning', 'ended', 'open'],
    ['warning', 'critical', 'ended', 'open'],
    ['warning', 'critical', 'ended lately', 'reopen'],
    ['critical', 'warning', 'ended', better],
    ['critical', 'warning', 'ended lately', better],
    ['healthy', 'warning', 'recovered lately', 'reopen'],
    ['critical', 'warning', 'recovered lately', 'reopen'],
    ['critical', 'healthy', 'open', 'resolve'],
    ['critical', 'healthy', 'none', none],
    ['critical', 'healthy', 'recovered lately', none],
    ['critical', 'healthy', 'ended', over],
    ['critical', 'healthy', 'ended lately', over],
  ] as [Stage | null, Stage, Told, unknown][])('from %s to %s with its incident %s: %j', (from, to, told, decision) => {
    expect(decide({ from, to, told, staysOpen: false })).toEqual(decision)
  })

  test('recovery that leaves the incident open updates it', () => {
    expect(decide({ from: 'critical', to: 'healthy', told: 'open', staysOpen: true })).toBe('update')
  })
})

const type = (key: string, more: object = {}) => ({ key, is_operational: false, archived: false, ...more })
test.each([
  ['warning', ['operational', 'degraded', 'major_outage'], {}, 'degraded'],
  ['critical', ['operational', 'degraded', 'major_outage'], {}, 'major_outage'],
  ['healthy', ['operational', 'degraded'], {}, 'otherwise'],
  ['critical', ['slow', 'down'], {}, 'otherwise'],
  ['critical', ['major_outage'], { archived: true }, 'otherwise'],
  ['warning', ['degraded'], { is_operational: true }, 'otherwise'],
] as [Stage, string[], object, string][])('an incident of %s on a page of %j %j is %s', (stage, keys, more, status) => {
  const types = keys.map((key) => type(key, more))
  expect(statusOf(stage, types, 'otherwise')).toBe(status)
})

test.each([
  ['pending_review', 'allowed', 'allowed'],
  ['failed', 'allowed', 'allowed'],
  ['approved', 'existing', 'refused'],
  ['executed', 'existing', 'refused'],
  ['rejected', 'refused', 'existing'],
  ['superseded', 'refused', 'refused'],
])('an action that is %s: approving is %s, rejecting is %s', (state, approving, rejecting) => {
  expect([verdictOn('approve', state), verdictOn('reject', state)]).toEqual([approving, rejecting])
})

const on = { enabled: true, automation_paused: false, automation_pause_reason: null, muted_until: null }
test.each([
  [{}, null],
  [{ enabled: false, automation_paused: true }, 'disabled'],
  [{ automation_paused: true }, 'automation is paused'],
  [{ automation_paused: true, automation_pause_reason: 'We move' }, 'automation is paused: We move'],
  [{ automation_pause_reason: 'We moved' }, null],
  [{ muted_until: new Date('2026-11-21T12:00:01Z') }, 'muted until 2026-11-21T12:00:01.000Z'],
  [{ muted_until: now }, null],
])('with %j it is held back: %s', (switches, because) => {
  expect(suppressedBySwitch({ ...on, ...switches }, now)?.because ?? null).toBe(because)
})

describe('a maintenance', () => {
  /** 1 has 2 and 3 below it, and 3 has 4. */
  const tree = new Map([
    [1, { parent_id: null }],
    [2, { parent_id: 1 }],
    [3, { parent_id: 1 }],
    [4, { parent_id: 3 }],
    [5, { parent_id: null }],
  ])
  const window = (id: number, ...items: number[]) => ({ id, scheduled_end_time: null, items })
  test.each([
    [[2], [window(7, 2)], 7],
    [[2], [window(7, 1)], 7],
    [[4, 2], [window(7, 1)], 7],
    [[1], [window(7, 2, 3)], null],
    [[2, 5], [window(7, 1)], null],
    [[2, 5], [window(7, 1), window(8, 5)], null],
    [[2, 5], [window(7, 1), window(8, 5, 2)], 8],
    [[], [window(7, 1)], null],
    [[9], [window(7, 1)], null],
    [[2], [], null],
  ])('of %j by %j covers: %s', (items, windows, id) => {
    const because = suppressedByMaintenance(items, tree, windows)?.because ?? null
    expect(because).toBe(id && `covered by the maintenance ${id}`)
  })

  test('says until when it is planned to last', () => {
    const windows = [{ id: 7, scheduled_end_time: now, items: [2] }]
    expect(suppressedByMaintenance([2], tree, windows)?.because).toBe(
      `covered by the maintenance 7 until ${now.toISOString()}`,
    )
  })
})

describe('flapping', () => {
  const rule = { changes: 3, within_minutes: 10 }
  test.each([
    [[1, 2, 3], 60_000, null],
    [[1, 2, 3, 4], 60_000, 596],
    [[1, 2, 3, 4, 500], 60_000, 596],
    [[1, 2, 3, 599], 60_000, 1],
    [[1, 2, 3, 600], 60_000, null],
    [[1, 2, 3, 4], 1000, 6],
    [[1, 2, 3, 10], 1000, null],
  ])('changes %j seconds ago, with minutes of %s ms, are too many for %s seconds', (changes, minuteMs, seconds) => {
    const until = flappingUntil(changes.map(ago), now, rule, minuteMs)
    expect(until && (until.getTime() - now.getTime()) / 1000).toBe(seconds)
  })

  test('is six changes in an hour where nothing is said', () => {
    expect(flappingRuleOf({})).toEqual({ changes: 6, within_minutes: 60 })
    expect(flappingRuleOf({ flapping_rule: rule })).toEqual(rule)
  })
})

const twice = (text: string) => [text, `${text}.`]

describe('words', () => {
  test.each([
    ['warning', ['Search'], null, 'Problems with Search', 'We see problems with Search and are looking into them.'],
    ['critical', ['Search'], null, 'Disruption of Search', 'Search is disrupted. We are looking into it.'],
    ['critical', [], null, 'Disruption of this service', 'This service is disrupted. We are looking into it.'],
    [
      ...['critical', ['REST API v2 for partners and integrators'], null],
      'Disruption of REST API v2 for partners and integrators',
      'REST API v2 for partners and integrators is disrupted. We are looking into it.',
    ],
    ['healthy', ['EU, US'], null, 'EU, US works again', 'EU, US works again.'],
    [
      ...['critical', ['REST API', 'Webhooks'], 'All of Asia', 'Disruption of REST API and Webhooks'],
      'REST API and Webhooks are disrupted. We are looking into it.',
    ],
    ['healthy', ['REST API', 'Webhooks'], null, ...twice('REST API and Webhooks work again')],
    [
      ...['critical', [], 'logins in Asia', 'Disruption of logins in Asia'],
      'We see a disruption of logins in Asia. We are looking into it.',
    ],
    ['healthy', [], 'logins in Asia', 'Recovery of logins in Asia', 'The disruption of logins in Asia is over.'],
  ] as [Stage, string[], string | null, string, string][])(
    'of %s about the items %j and the text %s are plain',
    (stage, names, freetext, title, body) => {
      expect(defaultWords(stage, { names, freetext })).toEqual({ title, body })
    },
  )

  test.each([
    [[], ''],
    [['Search'], 'Search'],
    [['Search', 'Checkout'], 'Search and Checkout'],
    [['Search', 'Checkout', 'Payments'], 'Search, Checkout and Payments'],
  ])('list %j as "%s"', (names, text) => {
    expect(listed(names)).toBe(text)
  })

  test.each([
    ['title', ' Two\n lines ', 'Two lines'],
    ['body', ' Two\nlines ', 'Two\nlines'],
    ['title', '  ', 'otherwise'],
    ['title', 'x'.repeat(400), 'x'.repeat(300)],
    ['title', `${'x'.repeat(299)}😀y`, 'x'.repeat(299)],
    ['title', `${'x'.repeat(298)}😀y`, `${'x'.repeat(298)}😀`],
  ] as const)('fit a %s: %j', (field, said, text) => {
    expect(bounded(field, said, 'otherwise')).toBe(text)
  })
})

test.each([
  [1, 'flapping: 3 changes in a minute'],
  [10, 'flapping: 3 changes in 10 minutes'],
])('changes within %i: %s', (within_minutes, words) => {
  expect(flappingInWords(3, { changes: 2, within_minutes })).toBe(words)
})

test.each([
  ['warning', '503 from db', '"Shop" gives a warning: 503 from db'],
  ['critical', ' 503 ', '"Shop" is critical: 503'],
  ['healthy', '', '"Shop" is healthy again.'],
])('a banner of %s after "%s" reads %s', (to_stage, evidence, words) => {
  type Said = Parameters<typeof bannerWords>
  expect(bannerWords({ record: { name: 'Shop' } } as Said[0], { to_stage, evidence } as Said[1])).toBe(words)
})
