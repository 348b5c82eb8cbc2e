import { expect, test } from '@jest/globals'
import type { BeatConfig } from '../../activities/lease/beat-config.ts'
import { ScheduledBeat } from '../../activities/lease/scheduled-beat.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { beat } from './open-scheduler.ts'

/** The results of a beat under its earlier configuration, as far as they count under the next configuration. */

const seen = (due: number, ok: boolean) => ({ due, ok, latency_ms: 5, packet_loss: null, certificate_days: null })
const failed = [seen(3000, false), seen(2000, false)]
const scheduledOf = (more: Partial<BeatConfig>) => new ScheduledBeat(beat(1, { depth: 3, ...more }), 'local', 4000)

test('results since the last read of a beat still count after a change, unless the target has changed', () => {
  const same = scheduledOf({})
  same.follow(scheduledOf({ tail: [...failed] }))
  expect(same.beat.tail).toEqual(failed)

  const other = scheduledOf({ target: { url: 'http://other' }, target_number: 1 })
  other.follow(scheduledOf({ tail: [...failed] }))
  expect(other.beat.tail).toEqual([])
})

test('a result of an earlier target causes no evaluation, and its callback updates the known state', () => {
  const scheduled = scheduledOf({ target_number: 1, known: { stage: 'critical', unknown: false } })
  const moments = { due_at: new Date(5000), at: new Date(5000) }
  const row = { beat_id: 1, page_id: 1, region: 'local', slot: 5, ...moments, status_code: 503, evidence: 'E' }
  const result: NewResult = { ...row, ...seen(5000, true), target_number: 0 }
  expect(scheduled.add(result)).toBe(false)
  expect(scheduled.stored(result, { stage: 'warning', unknown: false })).toBe(false)
  expect([scheduled.beat.tail, scheduled.beat.known.stage]).toEqual([[], 'warning'])
  expect(scheduled.add({ ...result, target_number: 1 })).toBe(true)
})
