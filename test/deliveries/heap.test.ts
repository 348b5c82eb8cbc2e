import { expect, test } from '@jest/globals'
import { boundHeap } from '../../activities/deliveries/heap.ts'

test('the growth of the heap is bounded from the first sending to the end of the last, also if one fails', async () => {
  const bounds: number[] = []
  const withBoundedHeap = boundHeap((percent) => bounds.push(percent))
  const gate = Promise.withResolvers<void>()
  const first = withBoundedHeap(() => gate.promise)
  await expect(withBoundedHeap(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  expect(bounds).toEqual([20])
  gate.resolve()
  await first
  expect(bounds).toEqual([20, 0])
})
