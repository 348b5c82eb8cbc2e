import { expect, test } from '@jest/globals'
import { shownTimes } from '../../src/domain/maintenances/shown-times-rules.ts'

const planned = { scheduled_start_time: '10:00', scheduled_end_time: '11:00' }

test.each([
  ['a planned one', { status: 'scheduled', ...planned }, '10:00', '11:00'],
  ['one that began late', { status: 'in_progress', ...planned, started_at: '10:20' }, '10:20', '11:00'],
  [
    'one that ended early',
    { status: 'completed', ...planned, started_at: '10:00', ended_at: '10:30' },
    '10:00',
    '10:30',
  ],
  ['one that was cancelled before its start', { status: 'cancelled', ...planned, started_at: null }, '10:00', '11:00'],
  ['one without an end', { status: 'in_progress', started_at: '09:00', scheduled_end_time: null }, '09:00', undefined],
])('the times of a maintenance for readers, of %s', (_case, maintenance, from, until) => {
  expect(shownTimes(maintenance)).toEqual({ from, until })
})
