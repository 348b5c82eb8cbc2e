import { expect, test } from '@jest/globals'
import { groupCommit } from '../../activities/deliveries/group-commit.ts'
import { sendLane } from '../../activities/deliveries/send-lane.ts'
import { sendLanes } from '../../activities/deliveries/send-lanes.ts'
import { createSlots } from '../../activities/deliveries/slots.ts'
import { until } from '../support/wait.ts'

const signal = new AbortController().signal

/** Items that are claimed once each; those in `slow` are sent when the test says so. */
function laneOf(count: number, slow: number[] = []) {
  const items = Array.from({ length: count }, (_, index) => index)
  const sent: number[] = []
  const gates = new Map(slow.map((item) => [item, Promise.withResolvers<void>()]))
  let inFlight = 0
  let most = 0
  return {
    sent,
    gates,
    most: () => most,
    claim: async (limit: number) => items.splice(0, limit),
    lasts: () => true,
    addressOf: String,
    send: async (item: number) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await gates.get(item)?.promise
      sent.push(item)
      inFlight -= 1
    },
    save: async () => undefined,
  }
}

test('everything that is due is sent, and never more at once than the lane is wide', async () => {
  const lane = laneOf(500)
  await sendLane({ name: 'a', slots: createSlots({ width: 8, widthOfLane: 4 }), signal, ...lane })
  expect(lane.sent).toHaveLength(500)
  expect(lane.most()).toBe(4)
})

test('slow receivers keep their slots and delay no other', async () => {
  const lane = laneOf(100, [0, 1, 2])
  const done = sendLane({ name: 'a', slots: createSlots({ width: 8, widthOfLane: 4 }), signal, ...lane })
  while (lane.sent.length < 97) await new Promise(setImmediate)
  for (const gate of lane.gates.values()) gate.resolve()
  await done
  expect(lane.sent).toHaveLength(100)
})

test('what becomes due while a receiver hangs is sent in the meantime, also in another lane', async () => {
  const due: Record<'hanging' | 'other', number[]> = { hanging: [0], other: [] }
  const slots = createSlots({ width: 8, widthOfLane: 4 })
  const laneNamed = (name: keyof typeof due) => {
    const lane = laneOf(0, [0])
    return { ...lane, name, slots, signal, lookAgainMs: 5, claim: async () => due[name].splice(0) }
  }
  const [hanging, other] = [laneNamed('hanging'), laneNamed('other')]
  const done = sendLanes([hanging, other])
  while (hanging.most() < 1) await new Promise(setImmediate)
  due.hanging.push(1)
  due.other.push(2)
  await until(
    () => [hanging.sent, other.sent],
    (sent) => sent.flat().length === 2,
  )
  hanging.gates.get(0)!.resolve()
  await done
  expect([hanging.sent, other.sent]).toEqual([[1, 0], [2]])
})

test('a lane whose receivers all hang leaves slots for other lanes', async () => {
  const slots = createSlots({ width: 8, widthOfLane: 4 })
  const hanging = laneOf(10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  const waiting = sendLane({ name: 'dead', slots, signal, ...hanging })
  const lane = laneOf(50)
  await sendLane({ name: 'alive', slots, signal, ...lane })
  expect(lane.sent).toHaveLength(50)
  for (const gate of hanging.gates.values()) gate.resolve()
  await waiting
})

test('a lane that fails returns its slots and reports the failure', async () => {
  const slots = createSlots({ width: 2, widthOfLane: 2 })
  const failing = {
    claim: async () => [1, 2],
    lasts: () => true,
    addressOf: String,
    send: async () => undefined,
    save: () => Promise.reject(new Error('no database')),
  }
  await expect(sendLane({ name: 'a', slots, signal, ...failing })).rejects.toThrow('no database')
  expect(await slots.take('b', 5)).toBe(2)
})

test('an aborted lane waits for what is in flight and claims no more', async () => {
  const controller = new AbortController()
  const lane = laneOf(100, [0, 1, 2, 3])
  const done = sendLane({
    ...{ name: 'a', slots: createSlots({ width: 4, widthOfLane: 4 }), signal: controller.signal },
    ...lane,
  })
  while (lane.most() < 4) await new Promise(setImmediate)
  controller.abort()
  for (const gate of lane.gates.values()) gate.resolve()
  await done
  expect(lane.sent.length).toBeLessThanOrEqual(8)
})

test('an item whose claim may end before the attempt is not sent, and its slot is free again', async () => {
  const slots = createSlots({ width: 2, widthOfLane: 2 })
  const lane = laneOf(10)
  await sendLane({ name: 'a', slots, signal, ...lane, lasts: (item) => item % 2 === 0 })
  expect(lane.sent).toEqual([0, 2, 4, 6, 8])
  expect(await slots.take('b', 5)).toBe(2)
})

test('an outcome that is being stored keeps its slot, but its lane may wait for another receiver', async () => {
  const slots = createSlots({ width: 3, widthOfLane: 2 })
  const stored = Promise.withResolvers<void>()
  const lane = laneOf(5)
  const done = sendLane({ name: 'a', slots, signal, ...lane, save: () => stored.promise })
  while (lane.sent.length < 3) await new Promise(setImmediate)
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  expect(lane.sent).toEqual([0, 1, 2])
  stored.resolve()
  await done
  expect(lane.sent).toEqual([0, 1, 2, 3, 4])
})

test('what arrives while a group is saved is saved together', async () => {
  const groups: number[][] = []
  const gate = Promise.withResolvers<void>()
  const save = groupCommit<number>(async (items) => {
    groups.push(items)
    if (groups.length === 1) await gate.promise
  })
  const all = [save(1), save(2), save(3)]
  gate.resolve()
  await Promise.all(all)
  expect(groups).toEqual([[1], [2, 3]])
})

test('the next group is being saved before the items of the last one go on', async () => {
  const order: string[] = []
  const save = groupCommit<number>(async ([first]) => {
    order.push(`save ${first}`)
    await Promise.resolve()
  })
  const one = async (item: number) => {
    await save(item)
    order.push(`go on with ${item}`)
  }
  await Promise.all([one(1), one(2)])
  expect(order).toEqual(['save 1', 'save 2', 'go on with 1', 'go on with 2'])
})

test('a group that cannot be saved fails for each of its items, and the next group is saved', async () => {
  let broken = true
  const save = groupCommit<number>(async () => {
    if (broken) throw new Error('no database')
  })
  await expect(save(1)).rejects.toThrow('no database')
  broken = false
  await save(2)
})

test('an address gets one message at a time, however many lanes have messages for it', async () => {
  const slots = createSlots({ width: 8, widthOfLane: 8 })
  const gate = Promise.withResolvers<void>()
  const sent: string[] = []
  const lane = (event: string) => {
    const items = ['dead', `${event}-a`, `${event}-b`]
    return sendLane<string, void>({
      ...{ name: 'page', slots, signal, addressOf: (item) => item, lasts: () => true, save: async () => undefined },
      claim: async (most) => items.splice(0, most),
      async send(item) {
        if (item === 'dead' && sent.filter((one) => one === 'dead').length === 0) await gate.promise
        sent.push(item)
      },
    })
  }
  const events = Array.from({ length: 12 }, (_, index) => lane(`event-${index}`))
  while (sent.length < 24) await new Promise(setImmediate)
  expect(sent).not.toContain('dead')
  gate.resolve()
  await Promise.all(events)
  expect(sent.filter((item) => item === 'dead')).toHaveLength(12)
})
