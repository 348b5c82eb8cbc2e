import { afterAll, expect, test } from '@jest/globals'
import { checks } from '../../activities/checks/index.ts'
import type { Assertion } from '../../src/domain/beats/types/assertion.ts'
import { soon } from './support/context.ts'
import { closeServers, httpServer } from './support/servers.ts'

afterAll(closeServers)

/** PostgreSQL refuses half of a surrogate pair in JSON: a result with such evidence could not be stored. */
test.each([76, 77, 78, 79])('a quote of %i characters and emojis is cut between two characters', async (length) => {
  const value = `${'x'.repeat(length)}${'😀'.repeat(300)}`
  const { url } = await httpServer((_, answer) => answer.end(JSON.stringify({ value })))
  const assertion: Assertion = { source: 'json', path: '$.value', operator: 'equals', value: 'y' }
  const { evidence } = await checks.api({ url, assertions: [assertion] }, soon())
  expect(evidence).toContain('xxx')
  expect(evidence.isWellFormed()).toBe(true)
})
