import { expect, test } from '@jest/globals'
import { storedResults } from '../support/shards.ts'
import { leasedService, more, shard, well } from './leased-service.ts'

const leased = leasedService()
const { make, change, another } = leased

test('the process that claims a shard checks the shard, and the earlier holder stops', async () => {
  await make(3)
  const [first, second] = [another(), another()]
  const one = await first.hold(shard)
  await more(first.checked)
  await second.hold(shard)
  expect(await one.over).toBe('lost')
  const { length } = first.checked
  await more(second.checked, 6)
  expect(first.checked).toHaveLength(length)
  const rows = await storedResults(leased.service.services)
  expect(new Set(rows.map(({ beat_id, slot }) => `${beat_id} ${slot}`)).size).toBe(rows.length)
})

test('between two leases of one process no check stops, and no beat is read or checked twice', async () => {
  const [id] = await make(1)
  const process = another()
  const one = await process.hold(shard)
  await more(process.checked, 2)
  one.release()
  await more(process.checked, 2)
  await process.hold(shard)
  await more(process.checked, 2)
  expect(new Set(process.checked).size).toBe(1)
  await process.close()
  const slots = (await storedResults(leased.service.services))
    .filter(({ beat_id }) => beat_id === id)
    .map(({ slot }) => slot)
  expect(new Set(slots).size).toBe(slots.length)
})

test('a process leaves a shard without a new lease after a while', async () => {
  await make(1)
  const process = another(() => well, 100)
  const one = await process.hold(shard)
  await more(process.checked, 1)
  one.release()
  expect(await one.over).toBe('over')
})

test('an empty or deleted shard ends its lease', async () => {
  const process = another()
  expect(await (await process.hold(shard)).over).toBe('empty')
  const [id] = await make(1)
  const one = await process.hold(shard)
  await more(process.checked, 1)
  await change([id!], 'enabled = false')
  expect(await one.over).toBe('empty')
})

test('at the end of a process its results are stored, and no check begins', async () => {
  await make(20)
  const process = another()
  const one = await process.hold(shard)
  await more(process.checked, 30)
  await process.close()
  expect(await one.over).toBe('over')
  const { length } = process.checked
  expect(await storedResults(leased.service.services)).toHaveLength(length)
  // Every beat was due again by the time another process has checked each beat twice.
  const next = another()
  await next.hold(shard)
  await more(next.checked, 40)
  expect(process.checked).toHaveLength(length)
  expect(await (await process.hold(shard)).over).toBe('over')
})
