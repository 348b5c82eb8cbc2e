import { expect, test } from '@jest/globals'
import { type HeldEnd, lease } from '../../activities/lease/lease.ts'
import { fakeTimers } from './fake-timers.ts'

function begin(hold?: () => Promise<never>) {
  const timers = fakeTimers()
  const over = Promise.withResolvers<HeldEnd>()
  const cancel = new AbortController()
  const seen = { heartbeats: 0, released: 0 }
  const holding = {
    over: over.promise,
    release() {
      seen.released += 1
    },
  }
  const end = lease({
    timers,
    hold: hold ?? (async () => holding),
    heartbeat() {
      seen.heartbeats += 1
    },
    signal: cancel.signal,
    lengthMs: 90_000,
  })
  return { timers, over, cancel, seen, end }
}

test('a lease sends a heartbeat every two seconds, and ends after its length', async () => {
  const { timers, seen, end } = begin()
  await timers.pass(89_999)
  expect(seen).toEqual({ heartbeats: 45, released: 0 })
  await timers.pass(1)
  expect(await end).toBe('over')
  expect(seen.released).toBe(1)
  expect(timers.pending()).toBe(0)
})

test.each<HeldEnd>(['empty', 'lost', 'over'])('a shard that is %s ends its lease', async (how) => {
  const { timers, over, end } = begin()
  await timers.pass(5000)
  over.resolve(how)
  expect(await end).toBe(how)
  expect(timers.pending()).toBe(0)
})

test('a cancelled lease ends at once', async () => {
  const { timers, cancel, end, seen } = begin()
  await timers.pass(5000)
  cancel.abort()
  expect(await end).toBe('cancelled')
  expect(seen.released).toBe(1)
  expect(timers.pending()).toBe(0)
})

test('a lease whose beats cannot be read fails, and sends no more heartbeats', async () => {
  const { timers, end } = begin(async () => {
    throw new Error('the database is away')
  })
  await expect(end).rejects.toThrow('the database is away')
  expect(timers.pending()).toBe(0)
})
