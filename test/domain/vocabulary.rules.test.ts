import { describe, expect, test } from '@jest/globals'
import {
  defaultIncidentStatus,
  firstStage,
  lastStage,
  operationalStatus,
  worst,
} from '../../src/domain/vocabulary/rules.ts'

const type = (key: string, display_order: number, more = {}) => ({
  key,
  display_order,
  is_operational: false,
  archived: false,
  ...more,
})
const types = [
  type('major_outage', 5),
  type('operational', 1, { is_operational: true }),
  type('maintenance', 2),
  type('degraded', 3),
  type('hidden', 6, { archived: true }),
]

describe('the default status of an incident', () => {
  test.each([
    ['the mildest that is neither operational nor maintenance', types, 'degraded'],
    [
      'none that is archived',
      types.map((one) => (one.key === 'degraded' ? { ...one, archived: true } : one)),
      'major_outage',
    ],
    [
      'none where there is none',
      types.filter((one) => ['operational', 'maintenance', 'hidden'].includes(one.key)),
      undefined,
    ],
  ])('%s', (_title, given, expected) => {
    expect(defaultIncidentStatus(given)).toBe(expected)
  })
})

describe('the worst', () => {
  test.each([
    [[], 'operational'],
    [['degraded'], 'degraded'],
    [['degraded', 'major_outage', 'maintenance'], 'major_outage'],
    [['maintenance', 'operational'], 'maintenance'],
    [['unheard_of'], 'operational'],
    [['unheard_of', 'degraded'], 'degraded'],
    [['hidden', 'degraded'], 'hidden'],
  ])('of %j is %s', (statuses, expected) => {
    expect(worst(types, statuses)).toBe(expected)
  })

  test('does not depend on the order', () => {
    expect(worst(types, ['major_outage', 'degraded'])).toBe(worst(types, ['degraded', 'major_outage']))
  })
})

test('the operational one may have another name', () => {
  expect(operationalStatus([type('fine', 1, { is_operational: true })])).toBe('fine')
  expect(operationalStatus(types)).toBe('operational')
})

describe('stages', () => {
  const stage = (id: number, display_order: number, more = {}) => ({
    ...{ id, name: `${id}`, display_order, is_default: false, archived: false },
    ...more,
  })

  test.each([
    ['the default', [stage(1, 1), stage(2, 2, { is_default: true }), stage(3, 3)], 2, 3],
    ['the first where none is the default', [stage(3, 3), stage(1, 1), stage(2, 2)], 1, 3],
    [
      'none that is archived',
      [stage(1, 1, { is_default: true, archived: true }), stage(2, 2), stage(3, 3, { archived: true })],
      2,
      2,
    ],
    ['none at all', [], undefined, undefined],
  ])('%s', (_title, stages, first, last) => {
    expect([firstStage(stages)?.id, lastStage(stages)?.id]).toEqual([first, last])
  })
})
