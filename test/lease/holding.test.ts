import { expect, test } from '@jest/globals'
import { storedResults } from '../support/shards.ts'
import { leasedHouse, more, shard, well } from './leased-house.ts'

const leased = leasedHouse()
const { make, change, another } = leased

test('the process that is given a shard has it, and whoever had it before stops', async () => {
  await make(3)
  const [first, second] = [another(), another()]
  const one = await first.hold(shard)
  await more(first.checked)
  await second.hold(shard)
  expect(await one.over).toBe('lost')
  const { length } = first.checked
  await more(second.checked, 6)
  expect(first.checked).toHaveLength(length)
  const rows = await storedResults(leased.house.services)
  expect(new Set(rows.map(({ beat_id, slot }) => `${beat_id} ${slot}`)).size).toBe(rows.length)
})

test('between two leases of one process nothing stops, and nothing is read or checked twice', async () => {
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
  const slots = (await storedResults(leased.house.services))
    .filter(({ beat_id }) => beat_id === id)
    .map(({ slot }) => slot)
  expect(new Set(slots).size).toBe(slots.length)
})

test('a shard that nobody leases any more is left after a while', async () => {
  await make(1)
  const process = another(() => well, 100)
  const one = await process.hold(shard)
  await more(process.checked, 1)
  one.release()
  expect(await one.over).toBe('over')
})

test('a shard that is empty, or gone, ends its lease', async () => {
  const process = another()
  expect(await (await process.hold(shard)).over).toBe('empty')
  const [id] = await make(1)
  const one = await process.hold(shard)
  await more(process.checked, 1)
  await change([id!], 'enabled = false')
  expect(await one.over).toBe('empty')
})

test('at the end what was seen is stored, and no check begins any more', async () => {
  await make(20)
  const process = another()
  const one = await process.hold(shard)
  await more(process.checked, 30)
  await process.close()
  expect(await one.over).toBe('over')
  const { length } = process.checked
  expect(await storedResults(leased.house.services)).toHaveLength(length)
  // By the time another process has checked each beat twice, every beat was due again.
  const next = another()
  await next.hold(shard)
  await more(next.checked, 40)
  expect(process.checked).toHaveLength(length)
  expect(await (await process.hold(shard)).over).toBe('over')
})
