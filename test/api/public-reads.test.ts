import { setImmediate } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { Problem } from '../../src/domain/kernel/errors.ts'
import { createLogger } from '../../src/runtime/logger.ts'
import { openPublicReads } from '../../src/web/public-reads.ts'
import { passed } from '../support/wait.ts'

const reader = () => {
  const reads = openPublicReads(createLogger('silent', 'test'))
  let made = 0
  /** Whether the answer had to be made. */
  const makes = async (key: string, length: number) => {
    const before = made
    await reads.read(1, key, async () => {
      made += 1
      return { body: 'x'.repeat(length) }
    })
    return made > before
  }
  return { makes }
}

test('long answers drop each other, oldest request first, and no short answer', async () => {
  const { makes } = reader()
  await makes('short', 1000)
  for (const key of ['1', '2', '3', '4']) await makes(key, 10_000_000)
  expect(await makes('short', 1000)).toBe(false)
  expect(await makes('4', 10_000_000)).toBe(false)
  expect(await makes('1', 10_000_000)).toBe(true)
})

test('an answer above the limit is kept until the next one', async () => {
  const { makes } = reader()
  await makes('1', 40_000_000)
  expect(await makes('1', 40_000_000)).toBe(false)
  await makes('2', 40_000_000)
  expect(await makes('1', 40_000_000)).toBe(true)
})

test('short answers drop each other', async () => {
  const { makes } = reader()
  await makes('long', 20_000_000)
  for (let n = 0; n <= 10; n += 1) await makes(String(n), 900_000)
  expect(await makes('0', 900_000)).toBe(true)
  expect(await makes('long', 20_000_000)).toBe(false)
})

test('while an attempt lasts that a reader did not wait for, no other reader waits for it', async () => {
  const reads = openPublicReads(createLogger('silent', 'test'))
  const attempts: PromiseWithResolvers<{ body: string }>[] = []
  const make = () => {
    const attempt = Promise.withResolvers<{ body: string }>()
    attempts.push(attempt)
    return attempt.promise
  }
  /** A reader with this patience left. */
  const read = (patienceMs: number) => reads.read(1, 'summary', make, { since: performance.now() - 1500 + patienceMs })
  const first = read(1000)
  attempts[0]!.resolve({ body: 'first' })
  await first
  reads.changed(1)
  expect(await read(0)).toMatchObject({ isOutdated: true })
  // The pause after a failure is over.
  await passed(new Date(Date.now() + 1100))
  expect(await read(60_000)).toMatchObject({ isOutdated: true })
  expect(attempts).toHaveLength(2)
  attempts[1]!.reject(new Problem('unavailable', 'The database is away.'))
  await setImmediate()
  const next = read(60_000)
  attempts[2]!.resolve({ body: 'second' })
  const { body, isOutdated } = await next
  expect([isOutdated, body.plain.toString()]).toEqual([undefined, 'second'])
})
