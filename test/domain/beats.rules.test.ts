import { describe, expect, test } from '@jest/globals'
import {
  affectedProblems,
  agreed,
  defaultTimeoutMs,
  metricsComponent,
  metricsProblems,
  thresholdProblems,
} from '../../src/domain/beats/definition/rules.ts'
import { impossibleThresholds } from '../../src/domain/beats/definition/threshold-problems.ts'
import { hostProblems } from '../../src/domain/beats/targets/forbidden-places.ts'
import { hiddenProblems, isElsewhere } from '../../src/domain/beats/targets/target-rules.ts'

test.each([
  [1, 1000],
  [10, 10_000],
  [86_400, 10_000],
])('checks with an interval of %i s have a default timeout of %i ms', (seconds, ms) => {
  expect(defaultTimeoutMs(seconds)).toBe(ms)
})

const fields = (problems: { path: string }[]) => problems.map(({ path }) => path)

test.each([
  [{}, null, 0, []],
  [{ warning: { admin_banner: true } }, null, 0, []],
  [{ warning: { public_post: false } }, null, 0, []],
  [{ recovery: { public_post: true } }, null, 0, ['component_ids']],
  [{ critical: { public_post: true } }, '', 0, ['component_ids']],
  [{ critical: { public_post: true } }, 'all', 0, []],
  [{ critical: { public_post: true } }, null, 1, []],
])(
  'the policies %j with the freetext "%s" and %i items have problems at %j',
  (action_policies, affected_items_freetext, mapped, expected) => {
    expect(fields(affectedProblems({ action_policies, affected_items_freetext }, mapped))).toEqual(expected)
  },
)

const rule = { consecutive_failures: 1 }

test.each([
  [{}, false, ['threshold_policies']],
  [{ recovery_rule: { consecutive_successes: 1 } }, false, ['threshold_policies']],
  [{ warning_rule: rule }, false, []],
  [{ critical_rule: rule }, false, []],
  [{}, true, []],
])('the rules %j of a beat with reported %j have problems at %j', (threshold_policies, reported, expected) => {
  expect(fields(thresholdProblems({ type: 'http', threshold_policies }, reported))).toEqual(expected)
})

describe('impossible threshold rules', () => {
  const all = {
    ...{ latency_ms_over: 1, packet_loss_over: 1, certificate_days_under: 1, regions_failing: 1 },
    ...{ consecutive_failures: 1, failures_in_window: { failures: 1, checks: 1 } },
  }
  const checked = ['latency_ms_over', 'regions_failing']
  const [https, plain] = [{ url: 'https://a.example/' }, { url: 'http://a.example/' }]
  const judged = (type: string, target: object, threshold_policies: object, regions = ['a']) =>
    ({ type, target, threshold_policies, regions }) as Parameters<typeof impossibleThresholds>[0]

  test.each([
    ['http', https, [...checked, 'certificate_days_under']],
    ['api', plain, [...checked, 'certificate_days_under']],
    ['latency', { ...https, follow_redirects: false }, [...checked, 'certificate_days_under']],
    ['http', { ...plain, follow_redirects: false }, checked],
    ['tls', { host: 'a' }, [...checked, 'certificate_days_under']],
    ['tcp', { host: 'a' }, checked],
    ['dns', { host: 'a' }, checked],
    ['ping', { host: 'a' }, [...checked, 'packet_loss_over']],
    ['heartbeat', { period_seconds: 1 }, []],
    ['external_event', { kind: 'external_event' }, []],
  ] as [string, object, string[]][])(
    'for the type %s and the target %j these conditions are possible: %j',
    (type, target, can) => {
      const threshold_policies = { warning_rule: all, critical_rule: { consecutive_failures: 1 } }
      const refused = fields(impossibleThresholds(judged(type, target, threshold_policies), { threshold_policies }))
      const measured = ['latency_ms_over', 'packet_loss_over', 'certificate_days_under', 'regions_failing']
      const cannot = measured.filter((one) => !can.includes(one))
      expect(refused).toEqual(cannot.map((one) => `threshold_policies.warning_rule.${one}`))
    },
  )

  test.each([
    [{ type: 'tcp' }, ['type']],
    [{ regions: ['a', 'b'] }, []],
    [{ target: plain }, []],
    [{ name: 'N' }, []],
    [{ threshold_policies: {} }, ['threshold_policies.critical_rule.certificate_days_under']],
  ] as [Parameters<typeof impossibleThresholds>[1], string[]][])(
    'a stored impossible rule and the request %j have problems at %j',
    (said, expected) => {
      const beat = judged('tcp', { host: 'a' }, { critical_rule: { certificate_days_under: 1 } })
      expect(fields(impossibleThresholds(beat, said))).toEqual(expected)
    },
  )

  test.each([
    [1, ['a'], []],
    [2, ['a'], ['regions']],
    [2, ['a', 'b'], []],
  ])('regions_failing %i with the regions %j has problems at %j', (regions_failing, regions, expected) => {
    const rules = { critical_rule: { consecutive_failures: 1, regions_failing } }
    expect(fields(impossibleThresholds(judged('http', https, rules, regions), { regions }))).toEqual(expected)
  })
})

test.each([
  [true, null, [1, 2], 1],
  [true, 2, [1, 2], 2],
  [true, 3, [1, 2], 1],
  [true, 3, [], null],
  [false, null, [1], null],
  [false, 1, [1], 1],
  [false, 2, [1], null],
])(
  'metrics %j named at %j of %j are at %j',
  (public_metrics_enabled, public_metrics_component_id, mapped, expected) => {
    expect(metricsComponent({ public_metrics_enabled, public_metrics_component_id }, mapped)).toBe(expected)
  },
)

test.each([
  [true, [], undefined, ['component_ids']],
  [true, [1], undefined, []],
  [true, [1], 2, ['public_metrics_component_id']],
  [false, [], 1, ['public_metrics_component_id']],
  [false, [], null, []],
])(
  'public metrics %j of the items %j with the requested item %j have problems at %j',
  (public_metrics_enabled, mapped, said, expected) => {
    const beat = { public_metrics_enabled, public_metrics_component_id: null }
    expect(fields(metricsProblems(beat, mapped, said))).toEqual(expected)
  },
)

test.each<[string, number[], number[] | undefined, number[] | undefined, number[]]>([
  ['nothing said', [1], undefined, undefined, [1]],
  ['ids alone', [1], [2], undefined, [2]],
  ['references alone', [1], undefined, [2], [2]],
  ['the same twice', [1], [2, 3], [3, 2], [2, 3]],
  ['new ids together with the ids that were read', [1, 2], [2], [2, 1], [2]],
  ['new references together with the ids that were read', [1, 2], [1, 2], [], []],
  ['both new', [1], [2], [3], [2, 3]],
  ['both of a new record', [], [2], [3], [2, 3]],
])('%s', (_what, stored, byId, byReference, expected) => {
  expect(agreed(stored, byId, byReference)).toEqual(expected)
})

describe('targets', () => {
  test.each([
    ['http', { url: 'http://127.1/' }, ['target.url']],
    ['http', { url: 'https://localhost/' }, []],
    ['tcp', { host: '[::1]' }, ['target.host']],
    ['dns', { host: '127.0.0.1' }, ['target.resolver']],
    ['dns', { host: '127.0.0.1', resolver: '1.1.1.1' }, []],
    ['dns', { host: 'a.example', resolver: '[::1]:53' }, ['target.resolver']],
    ['heartbeat', { period_seconds: 1 }, []],
  ])('the target of the type %s, %j, has problems at %j', (type, target, expected) => {
    expect(fields(hostProblems(type, target))).toEqual(expected)
  })

  test.each([
    [{ url: 'https://a.example/?key=•••' }, ['target.url']],
    [{ url: 'https://a.example/', headers: { Cookie: '•••', Accept: '•••' } }, ['target.headers.Cookie']],
    [{ host: 'a', client_certificate: { key: '•••' } }, ['target.client_certificate.key']],
    [{ url: 'https://a.example/?key=1', headers: { Cookie: 'a' } }, []],
  ])('the masks without a secret in %j are %j', (target, expected) => {
    expect(fields(hiddenProblems(target))).toEqual(expected)
  })

  test.each([
    ['https://a.example/x', 'https://a.example/y', false],
    ['https://a.example:443/', 'https://a.example/', false],
    ['https://a.example/', 'http://a.example/', true],
    ['https://a.example/', 'https://a.example:8443/', true],
    ['https://b.example/', 'https://a.example/', true],
  ])('the URL %s is on another server than %s: %j', (said, stored, expected) => {
    expect(isElsewhere({ url: said }, { url: stored })).toBe(expected)
  })

  test.each<[unknown]>([[5], [null], [[]], [{}], [{ toString: 1 }]])(
    '%j is not a URL and counts as another server',
    (url) => {
      expect(isElsewhere({ url }, { url: 'https://a.example/' })).toBe(true)
    },
  )

  test('a target without a URL is never on another server', () => {
    expect(isElsewhere({ host: 'a', port: 1 }, { host: 'b' })).toBe(false)
  })
})
