import { expect, test } from '@jest/globals'
import { remembering } from '../../src/domain/texts/remembered-rules.ts'

test('what is known is made once, and too many keys are forgotten', () => {
  const made: string[] = []
  const remembered = remembering<string>(2)
  const ask = (key: string) =>
    remembered(key, () => {
      made.push(key)
      return key.toUpperCase()
    })
  expect(['a', 'b', 'a', 'c', 'c', 'a'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'C', 'A'])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})
