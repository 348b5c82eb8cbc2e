import { afterAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import type { Assertion } from '../../src/domain/beats/types/assertion.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer } from './support/servers.ts'

afterAll(closeServers)

/** PostgreSQL takes no half of a character in JSON: a check whose evidence has one could not be stored. */
test.each([76, 77, 78, 79])('what is quoted ends between two characters: after %i and emojis', async (length) => {
  const value = `${'x'.repeat(length)}${'😀'.repeat(300)}`
  const { url } = await httpServer((_, answer) => answer.end(JSON.stringify({ value })))
  const assertion: Assertion = { source: 'json', path: '$.value', operator: 'equals', value: 'y' }
  const { evidence } = await checks.api({ url, assertions: [assertion] }, soon())
  expect(evidence).toContain('xxx')
  expect(evidence.isWellFormed()).toBe(true)
})
