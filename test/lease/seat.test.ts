import { expect, test } from '@jest/globals'
import { Seat } from '../../activities/lease/seat.ts'
import type { Watched } from '../../activities/lease/watched.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { beat } from './open-rounds.ts'

/** What was seen of a beat under its last configuration, and what of it counts under the next. */

const seen = (due: number, ok: boolean) => ({ due, ok, latency_ms: 5, packet_loss: null, certificate_days: null })
const failed = [seen(3000, false), seen(2000, false)]
const seatOf = (more: Partial<Watched>) => new Seat(beat(1, { depth: 3, ...more }), 'local', 4000)

test('what was stored since the beat was read stays seen, unless its target is another', () => {
  const same = seatOf({})
  same.follow(seatOf({ tail: [...failed] }))
  expect(same.beat.tail).toEqual(failed)

  const other = seatOf({ target: { url: 'http://other' }, target_number: 1 })
  other.follow(seatOf({ tail: [...failed] }))
  expect(other.beat.tail).toEqual([])
})

test('a result of the target that it had before says nothing, and tells what is known', () => {
  const seat = seatOf({ target_number: 1, known: { stage: 'critical', unknown: false } })
  const moments = { due_at: new Date(5000), at: new Date(5000) }
  const row = { beat_id: 1, page_id: 1, region: 'local', slot: 5, ...moments, status_code: 503, evidence: 'E' }
  const result: NewResult = { ...row, ...seen(5000, true), target_number: 0 }
  expect(seat.add(result)).toBe(false)
  expect(seat.stored(result, { stage: 'warning', unknown: false })).toBe(false)
  expect([seat.beat.tail, seat.beat.known.stage]).toEqual([[], 'warning'])
  expect(seat.add({ ...result, target_number: 1 })).toBe(true)
})
