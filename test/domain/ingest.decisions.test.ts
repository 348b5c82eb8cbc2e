import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { ElementMatch } from '../../src/domain/evaluation/trigger-jobs.ts'
import {
  type Decision,
  decide,
  type Finding,
  nothingKnown,
  stageByFingerprints,
} from '../../src/domain/ingest/decisions/decide.ts'

const BEAT = 7
const rule = { id: 3, external_id: null, source_id: 5, silence_minutes: null }

/** What a trigger found in the event of this id, which arrived at the second of the id. */
function occasion(id: number, found: Partial<ElementMatch>, others: Partial<Finding> = {}): Finding {
  const nothing = { leaf: null, state: null, external_event_id: null, summary: null, error_message: null, region: null }
  const match = { matched: true, stage: 'critical', fingerprint: 'cpu', observed_at: null, ...nothing, ...found }
  return { rule, event: { id, receivedAt: id * 1000 }, element: 0, match, beatIds: [BEAT], ...others }
}

const changeOf = (decision: Decision) => (decision.kind === 'observed' ? decision.change : decision.kind)

function follow(occasions: Finding[]) {
  const book = nothingKnown()
  const changes = occasions.map((one) => changeOf(decide(book, one)))
  const states = [...book.states.values()]
  return { book, changes, states, stage: stageByFingerprints(book, BEAT) }
}

function ordersOf<T>(list: T[]): T[][] {
  if (list.length === 0) return [[]]
  return list.flatMap((one, index) => ordersOf(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))
}

const fire = { stage: 'critical', observed_at: 1000 }
const fireAgain = { stage: 'warning', observed_at: 2000 }
const resolve = { stage: 'healthy', observed_at: 3000 }

test('a fire, another fire and a recovery, each delivered twice, end alike in every order of arrival', () => {
  const orders = ordersOf([fire, fireAgain, resolve, fire, fireAgain, resolve])
  expect(orders).toHaveLength(720)
  for (const order of orders) {
    const { stage, states, changes } = follow(order.map((found, index) => occasion(index + 1, found)))
    expect(stage).toBe('healthy')
    expect(states).toMatchObject([{ stage: 'healthy', observed_at: 3000, since: 3000, silent_at: null }])
    expect(changes.filter((change) => change === 'duplicate')).toHaveLength(3)
  }
})

test('of random reports with different times, the latest report of each fingerprint counts in every order', () => {
  const report = fc.record({
    fingerprint: fc.constantFrom('cpu', 'disk'),
    stage: fc.constantFrom('healthy', 'warning', 'critical'),
    observed_at: fc.integer({ min: 1, max: 9 }),
  })
  const reports = fc.uniqueArray(report, { selector: (one) => `${one.fingerprint} ${one.observed_at}`, maxLength: 8 })
  fc.assert(
    fc.property(reports, fc.infiniteStream(fc.nat()), (sorted, keys) => {
      const shuffled = sorted
        .map((one) => ({ one, key: keys.next().value as number }))
        .sort((a, b) => a.key - b.key)
        .map(({ one }, index) => occasion(index + 1, one))
      const { states } = follow(shuffled)
      const latest = Map.groupBy(sorted, ({ fingerprint }) => fingerprint)
      expect(states).toHaveLength(latest.size)
      for (const { fingerprint, stage } of states) {
        const all = latest.get(fingerprint as 'cpu' | 'disk')!
        expect(stage).toBe(all.reduce((a, b) => (b.observed_at > a.observed_at ? b : a)).stage)
      }
    }),
  )
})

test.each<[string, Partial<ElementMatch>[], string[], string]>([
  ['a fire, repeated', [fire, fire], ['opened', 'duplicate'], 'critical'],
  ['a fire, and again later', [fire, { ...fire, observed_at: 1500 }], ['opened', 'same'], 'critical'],
  ['a fire that becomes a warning', [fire, fireAgain], ['opened', 'changed'], 'warning'],
  ['a fire and its recovery', [fire, resolve], ['opened', 'resolved'], 'healthy'],
  ['a recovery and an earlier fire', [resolve, fire], ['unpaired', 'stale'], 'healthy'],
  ['a recovery alone', [resolve], ['unpaired'], 'healthy'],
  ['two recoveries', [resolve, { ...resolve, observed_at: 4000 }], ['unpaired', 'unpaired'], 'healthy'],
  [
    'a fire after a recovery',
    [fire, resolve, { ...fire, observed_at: 4000 }],
    ['opened', 'resolved', 'opened'],
    'critical',
  ],
  ['two fires of one moment', [fire, { ...fireAgain, observed_at: 1000 }], ['opened', 'stale'], 'critical'],
  ['two fires without times', [{}, {}], ['opened', 'same'], 'critical'],
  ['a fire and a recovery without times', [{}, { stage: 'healthy' }], ['opened', 'resolved'], 'healthy'],
  [
    'two fingerprints and one recovery',
    [fire, { ...fire, fingerprint: 'disk' }, resolve],
    ['opened', 'opened', 'resolved'],
    'critical',
  ],
  ['no match', [{ matched: false, stage: null }], ['no_match'], 'healthy'],
  ['no stage', [{ stage: null }], ['no_stage'], 'healthy'],
  [
    'one event id twice',
    [{ external_event_id: 'e' }, { external_event_id: 'e', stage: 'healthy' }],
    ['opened', 'duplicate'],
    'critical',
  ],
  [
    'the fingerprint as the event id',
    [{ external_event_id: 'cpu' }, { external_event_id: 'cpu', stage: 'healthy' }],
    ['opened', 'resolved'],
    'healthy',
  ],
])('of %s follow the changes', (_title, founds, changes, stage) => {
  const result = follow(founds.map((found, index) => occasion(index + 1, found)))
  expect(result.changes).toEqual(changes)
  expect(result.stage).toBe(stage)
})

test('an event without its fingerprint is a thing of its own, which no other event repeats or resolves', () => {
  const keyless = { fingerprint: null }
  const { states, changes, stage } = follow([
    occasion(1, keyless),
    occasion(2, keyless),
    occasion(2, keyless, { element: 1 }),
    occasion(3, { ...keyless, stage: 'healthy' }),
  ])
  expect(changes).toEqual(['opened', 'opened', 'opened', 'unpaired'])
  expect(new Set(states.map(({ fingerprint }) => fingerprint)).size).toBe(4)
  expect(stage).toBe('critical')
})

test('a trigger without a fingerprint path is the fingerprint itself, by its external id or its id', () => {
  const { states } = follow([
    occasion(1, { fingerprint: undefined }),
    occasion(2, { fingerprint: undefined }),
    occasion(3, { fingerprint: undefined }, { rule: { ...rule, id: 4, external_id: 'disk-rule' } }),
  ])
  expect(states.map(({ fingerprint }) => fingerprint)).toEqual(['3', 'disk-rule'])
})

test('a repeated report renews the silence timeout, and a recovery ends it', () => {
  const silent = { rule: { ...rule, silence_minutes: 2 } }
  const silentAt = (...founds: Partial<ElementMatch>[]) =>
    follow(founds.map((found, index) => occasion(index + 1, found, silent))).states[0]!.silent_at
  expect(silentAt(fire)).toBe(121_000)
  expect(silentAt(fire, fire)).toBe(122_000)
  expect(silentAt(fire, resolve)).toBe(null)
  expect(silentAt(fire, resolve, resolve)).toBe(null)
})
