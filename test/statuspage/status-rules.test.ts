import { describe, expect, test } from '@jest/globals'
import type { StatuspageView } from '../../src/domain/statuspage/read.ts'
import { componentStatus, impactOf, overallStatus } from '../../src/statuspage/status-rules.ts'
import { dateIn, timeIn } from '../../src/statuspage/times.ts'

const types = [
  'operational',
  'info',
  'maintenance',
  'slow',
  'degraded',
  'odd',
  'partial_outage',
  'major_outage',
  'gone',
].map((key, display_order) => ({ key, display_order, is_operational: key === 'operational' }))

test.each([
  ['operational', 'operational', 'none'],
  ['maintenance', 'under_maintenance', 'none'],
  ['degraded', 'degraded_performance', 'minor'],
  ['partial_outage', 'partial_outage', 'major'],
  ['major_outage', 'major_outage', 'critical'],
  // Types that only this page has.
  ['info', 'degraded_performance', 'minor'],
  ['slow', 'degraded_performance', 'minor'],
  ['odd', 'degraded_performance', 'minor'],
  ['gone', 'major_outage', 'critical'],
  ['unknown', 'degraded_performance', 'minor'],
] as const)('the status type %s is %s, with the impact %s', (key, status, impact) => {
  expect(componentStatus(types, key)).toBe(status)
  expect(impactOf(componentStatus(types, key))).toBe(impact)
})

test('the operational type of a page may have another key', () => {
  const own = [
    { key: 'fine', display_order: 0, is_operational: true },
    { key: 'operational', display_order: 1, is_operational: false },
  ]
  expect(own.map(({ key }) => componentStatus(own, key))).toEqual(['operational', 'degraded_performance'])
})

describe('the overall status', () => {
  const view = (items: string[], incidents: string[], maintenances: string[]) =>
    ({
      status_types: types,
      items: items.map((status) => ({ status })),
      incidents: incidents.map((status) => ({ status, resolved_at: status === 'resolved' ? '2026-11-01' : null })),
      maintenances: maintenances.map((status) => ({ status })),
    }) as unknown as StatuspageView

  test.each([
    [[], [], [], 'none', 'All Systems Operational'],
    [['operational'], ['resolved'], ['scheduled'], 'none', 'All Systems Operational'],
    [['operational'], ['operational'], [], 'none', 'All Systems Operational'],
    [['degraded'], [], [], 'minor', 'Partially Degraded Service'],
    [['degraded'], ['degraded'], [], 'minor', 'Minor Service Outage'],
    [['operational'], ['degraded'], ['in_progress'], 'minor', 'Minor Service Outage'],
    [['partial_outage', 'degraded'], ['degraded'], [], 'major', 'Partial System Outage'],
    [['operational'], ['major_outage'], [], 'critical', 'Major Service Outage'],
    [['major_outage'], [], [], 'critical', 'Major Service Outage'],
    [['maintenance'], [], [], 'maintenance', 'Service Under Maintenance'],
    [['operational'], [], ['in_progress'], 'maintenance', 'Service Under Maintenance'],
  ] as const)(
    'of items %j, incidents %j and maintenances %j is %s',
    (items, incidents, work, indicator, description) => {
      const shown = view([...items], [...incidents], [...work])
      expect(overallStatus(shown, { showsMaintenance: true })).toEqual({ indicator, description })
      const documented = indicator === 'maintenance' ? 'none' : indicator
      expect(overallStatus(shown, { showsMaintenance: false })).toEqual({ indicator: documented, description })
    },
  )
})

test.each([
  ['UTC', '2026-11-23T12:00:00.000Z', '2026-11-23'],
  ['Europe/Berlin', '2026-11-23T13:00:00.000+01:00', '2026-11-23'],
  ['America/New_York', '2026-11-23T07:00:00.000-05:00', '2026-11-23'],
  ['Asia/Kolkata', '2026-11-23T17:30:00.000+05:30', '2026-11-23'],
  ['Pacific/Kiritimati', '2026-11-24T02:00:00.000+14:00', '2026-11-24'],
])('a moment in %s is %s', (zone, text, date) => {
  const iso = '2026-11-23T12:00:00.000Z'
  expect([timeIn(zone)(iso), dateIn(zone)(iso)]).toEqual([text, date])
  expect(new Date(text).toISOString()).toBe(iso)
})
