import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { TriggerConditions } from '../../src/domain/evaluation/trigger-conditions.ts'
import { matchEvent } from '../../src/domain/evaluation/trigger-jobs.ts'
import { conditionProblems } from '../../src/domain/ingest/triggers/condition-problems.ts'

interface Event {
  a?: unknown
  b?: unknown
  list?: unknown[]
}
const HEADERS = { 'x-source': ['prod', '5'] }

/** The values at the paths of this test, without JSON paths. */
const valuesAt: Record<string, (event: Event) => unknown[]> = {
  '$.a': (event) => ('a' in event ? [event.a] : []),
  'event.payload.b': (event) => ('b' in event ? [event.b] : []),
  '$.list[*]': (event) => event.list ?? [],
  '$.missing': () => [],
  'headers.X-Source': () => HEADERS['x-source'],
}

const isEqual = (a: unknown, b: unknown) => (a === null || b === null ? a === b : String(a) === String(b))
const isMore = (a: unknown, b: unknown) => a !== null && a !== '' && !Number.isNaN(Number(a)) && Number(a) > Number(b)

/** A condition in the simplest terms. */
function isMet(tree: TriggerConditions, event: Event): boolean {
  if ('all' in tree) return tree.all.every((part) => isMet(part, event))
  if ('any' in tree) return tree.any.some((part) => isMet(part, event))
  const { path, operator, value } = tree
  const values = valuesAt[path]!(event)
  if (operator === 'exists') return values.length > 0 === (value ?? true)
  if (operator === 'equals') return values.some((one) => isEqual(one, value))
  if (operator === 'not_equals') return values.every((one) => !isEqual(one, value))
  if (operator === 'in') return values.some((one) => (value as unknown[]).some((part) => isEqual(one, part)))
  return values.some((one) => typeof one !== 'boolean' && isMore(one, value))
}

const scalar = fc.constantFrom<unknown>('prod', 'test', '5', 5, 7, '', true, null)
const path = fc.constantFrom(...Object.keys(valuesAt))
const leaf = fc.oneof(
  fc.record({ path, operator: fc.constant('exists') }),
  fc.record({ path, operator: fc.constant('exists'), value: fc.boolean() }),
  fc.record({ path, operator: fc.constantFrom('equals', 'not_equals'), value: scalar }),
  fc.record({ path, operator: fc.constant('in'), value: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ path, operator: fc.constant('greater_than'), value: fc.integer({ min: 4, max: 7 }) }),
)
const trees = fc.letrec<{ tree: TriggerConditions; parts: TriggerConditions[] }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({ all: tie('parts') }),
    fc.record({ any: tie('parts') }),
  ),
  parts: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
}))
const events: fc.Arbitrary<Event> = fc.record(
  { a: scalar, b: scalar, list: fc.array(scalar, { maxLength: 3 }) },
  { requiredKeys: [] },
)

test('a random tree of conditions holds for a random event exactly if each of its parts does', () => {
  let met = 0
  fc.assert(
    fc.property(trees.tree, events, (conditions, event) => {
      expect(conditionProblems(conditions)).toEqual([])
      const program = { each_path: null, conditions, stage_mapping: { default_stage: 'critical' }, output_mapping: {} }
      const document = { text: JSON.stringify(event), headers: HEADERS, receivedAt: 0 }
      const found = matchEvent(document, [program], () => {}).matches[0]![0]!
      expect(found.matched).toBe(isMet(conditions, event))
      expect(found.leaf).toMatch(/\$|event\.|headers\./)
      met += Number(found.matched)
    }),
    { numRuns: 2000 },
  )
  expect(met).toBeGreaterThan(200)
  expect(met).toBeLessThan(1800)
})
