import { expect, test } from '@jest/globals'
import { byteFinder } from '../../activities/checks/find-bytes.ts'

/** Pseudo-random numbers, the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('bytes are found in a stream exactly if the joined stream contains them, for any chunks', () => {
  const number = numbers(3)
  const text = (length: number) => Array.from({ length }, () => 'ab'[number(2)]).join('')
  const seen = { true: 0, false: 0 }
  for (let tries = 0; tries < 3000; tries += 1) {
    const [wanted, whole] = [text(1 + number(7)), text(number(40))]
    const find = byteFinder(Buffer.from(wanted))
    let found = false
    for (let at = 0; at < whole.length; ) {
      const length = 1 + number(6)
      found = find(Buffer.from(whole.slice(at, at + length)))
      at += length
    }
    expect([wanted, whole, found]).toEqual([wanted, whole, whole.includes(wanted)])
    seen[`${found}`] += 1
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(500)
})
