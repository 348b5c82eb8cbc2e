import { expect, test } from '@jest/globals'
import { blindPhrasings } from './blind-phrasings.ts'

test('the blind set has a hundred different phrasings, for fifteen of which no plan may follow', () => {
  expect(new Set(blindPhrasings.map(({ query }) => query)).size).toBe(100)
  expect(blindPhrasings.filter(({ expected }) => expected.kind === 'none')).toHaveLength(15)
})
