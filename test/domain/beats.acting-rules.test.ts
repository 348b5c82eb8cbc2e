import { describe, expect, test } from '@jest/globals'
import { type Decision, decideActions, type Situation, statusOf } from '../../src/domain/beats/actions/action-rules.ts'
import { bannerText } from '../../src/domain/beats/actions/banners.ts'
import { bounded, defaultText, listed } from '../../src/domain/beats/actions/incident-text-rules.ts'
import { verdictOn } from '../../src/domain/beats/actions/review-rules.ts'
import { flappingInWords, flappingRuleOf, flappingUntil } from '../../src/domain/beats/stage/flapping-rules.ts'
import type { Stage } from '../../src/domain/beats/stage/stage-rules.ts'
import { suppressedByMaintenance, suppressedBySwitch } from '../../src/domain/beats/stage/suppression-rules.ts'
import { labelsFor } from '../../src/languages/labels.ts'

const now = new Date('2026-11-21T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)

const OWNER = 'the beat "Search" (5)'
const INCIDENT = 'the incident "Search is down" (17)'

type Incident = Situation['incident']['state'] | 'resolved lately' | 'ended by a person lately'

/** An incident that is `lately` over may be reopened. */
const situation = (acted: Stage | null, to: Stage, incident: Incident, more: Partial<Situation> = {}): Situation => ({
  ...{ owner: OWNER, suppressed: null, from: acted, to, acted, group: null, staysOpen: false, affects: true },
  policy: { public_post: true, public_post_mode: 'automatic' },
  policyStage: to === 'healthy' ? 'recovery' : to,
  incident: {
    state: incident.replace(' lately', '') as Situation['incident']['state'],
    name: INCIDENT,
    reopens: incident.endsWith(' lately'),
  },
  ...more,
})

/** The kind of the post, or the reason why there is none. */
const postOf = (decision: Decision) =>
  decision.does === 'act' ? (decision.post?.kind ?? decision.reason) : decision.reason

const none = `No action: ${OWNER} is healthy and has no open incident`
const over = `No action: a person has ended ${INCIDENT}`
const milder = `${over}, and warning is no worse than critical`
test.each([
  ['healthy', 'warning', 'none', 'open'],
  [null, 'critical', 'none', 'open'],
  ['critical', 'warning', 'none', 'open'],
  ['healthy', 'critical', 'open', 'update'],
  ['critical', 'warning', 'open', 'update'],
  ['healthy', 'warning', 'ended by a person', 'open'],
  ['warning', 'critical', 'ended by a person', 'open'],
  ['warning', 'critical', 'ended by a person lately', 'reopen'],
  ['critical', 'warning', 'ended by a person', milder],
  ['critical', 'warning', 'ended by a person lately', milder],
  ['healthy', 'warning', 'resolved', 'open'],
  ['healthy', 'warning', 'resolved lately', 'reopen'],
  ['critical', 'warning', 'resolved lately', 'reopen'],
  ['critical', 'healthy', 'open', 'resolve'],
  ['critical', 'healthy', 'none', none],
  ['critical', 'healthy', 'resolved lately', none],
  ['critical', 'healthy', 'ended by a person', over],
  ['critical', 'healthy', 'ended by a person lately', over],
  [null, 'healthy', 'none', `No action: healthy is the first known stage of ${OWNER}`],
  ['healthy', 'healthy', 'open', `No action: ${OWNER} is healthy and has acted on that`],
] as [Stage | null, Stage, Incident, string][])(
  'after actions about %s, the stage %s with the incident "%s" gives: %s',
  (acted, to, incident, decision) => {
    expect(postOf(decideActions(situation(acted, to, incident)))).toBe(decision)
  },
)

const automatic = { public_post: true, public_post_mode: 'automatic' } as const
const act = (more: object) => ({ does: 'act', banner: false, post: null, reason: null, ...more })
const group = 'the group "API" (3)'
test.each([
  ['a suppression', { suppressed: `${OWNER} is disabled` }, { does: 'wait', reason: `Waiting: ${OWNER} is disabled` }],
  [
    'a stage that recovered during a suppression',
    { to: 'healthy', from: 'critical', acted: 'healthy' },
    { does: 'nothing', reason: none },
  ],
  [
    'a banner and a post',
    { policy: { ...automatic, admin_banner: true } },
    act({ banner: true, post: open('automatic') }),
  ],
  ['a banner alone', { policy: { admin_banner: true } }, act({ banner: true })],
  ['a post without a mode', { policy: { public_post: true } }, act({ post: open('draft_only') })],
  [
    'no policy',
    { policy: {} },
    act({ reason: `No action: the action policies of ${OWNER} set no public post for critical` }),
  ],
  ['a member of a group', { group }, act({ reason: `No action: ${group} takes the public actions of ${OWNER}` })],
  [
    'a member of a group with a banner',
    { group, policy: { ...automatic, admin_banner: true } },
    act({ banner: true, reason: `No public action: ${group} takes the public actions of ${OWNER}` }),
  ],
  [
    'no affected item',
    { affects: false },
    act({ reason: `No action: ${OWNER} has no affected item and no affected_items_freetext` }),
  ],
] as [string, Partial<Situation>, Decision][])('%s decides the actions of a critical beat', (_what, more, decision) => {
  expect(decideActions(situation('healthy', 'critical', 'none', more))).toEqual(decision)
})

function open(mode: string) {
  return { kind: 'open', mode }
}

test('an open incident is updated without affected items, and by a recovery whose status keeps it open', () => {
  expect(postOf(decideActions(situation('warning', 'critical', 'open', { affects: false })))).toBe('update')
  expect(postOf(decideActions(situation('critical', 'healthy', 'open', { staysOpen: true })))).toBe('update')
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
  [{ enabled: false, automation_paused: true }, `${OWNER} is disabled`],
  [{ automation_paused: true }, `the automation of ${OWNER} is paused`],
  [{ automation_paused: true, automation_pause_reason: 'We move' }, `the automation of ${OWNER} is paused: We move`],
  [{ automation_pause_reason: 'We moved' }, null],
  [{ muted_until: new Date('2026-11-21T12:00:01Z') }, `${OWNER} is muted until 2026-11-21T12:00:01.000Z`],
  [{ muted_until: now }, null],
])('a beat with %j is suppressed because: %s', (switches, because) => {
  expect(suppressedBySwitch(OWNER, { ...on, ...switches }, now)?.because ?? null).toBe(because)
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
  const window = (id: number, ...items: number[]) => ({ id, title: 'Work', scheduled_end_time: null, items })
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
    const because = suppressedByMaintenance(OWNER, items, tree, windows, now)?.because ?? null
    const until = 'until the maintenance is completed'
    expect(because).toBe(id && `the maintenance "Work" (${id}) covers all items of ${OWNER}, ${until}`)
  })

  test.each([
    [1000, (end: string) => `its scheduled end is ${end}`],
    [0, (end: string) => `its scheduled end, ${end}, has passed`],
    [-1000, (end: string) => `its scheduled end, ${end}, has passed`],
  ])('with a scheduled end in %s ms names that end in the reason', (ms, endOf) => {
    const end = new Date(now.getTime() + ms)
    const windows = [{ id: 7, title: 'Work', scheduled_end_time: end, items: [2] }]
    expect(suppressedByMaintenance(OWNER, [2], tree, windows, now)?.because).toBe(
      `the maintenance "Work" (7) covers all items of ${OWNER}, until the maintenance is completed; ${endOf(end.toISOString())}`,
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

  test('is more than six changes in an hour without a rule', () => {
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
      expect(defaultText(stage, { names, freetext }, labelsFor('en'))).toEqual({ title, body })
    },
  )

  test.each([
    ['critical', ['Suche', 'Kasse'], null, 'Störung: Suche und Kasse', 'Suche und Kasse sind gestört.'],
    ['critical', [], null, 'Störung: dieser Dienst', 'Dieser Dienst ist gestört.'],
    ['healthy', ['Suche'], null, 'Suche funktioniert wieder', 'Suche funktioniert wieder.'],
    ['healthy', [], 'Asien', 'Behoben: Asien', 'Die Störung ist behoben: Asien.'],
  ] as [Stage, string[], string | null, string, string][])(
    'of %s about the items %j and the text %s are in German, too',
    (stage, names, freetext, title, body) => {
      const text = defaultText(stage, { names, freetext }, labelsFor('de-AT'))
      expect(text).toEqual({ title, body: expect.stringContaining(body) })
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
  type Said = Parameters<typeof bannerText>
  expect(bannerText({ record: { name: 'Shop' } } as Said[0], { to_stage, evidence } as Said[1])).toBe(words)
})
