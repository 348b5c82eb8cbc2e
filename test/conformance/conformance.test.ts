import { expect, test } from '@jest/globals'
import { runSuite, versions } from './suite.ts'

test.each(versions)('the endpoint passes the published scenarios of MCP %s', async (version) => {
  const { passed, output } = await runSuite(version)
  expect(passed ? '' : output).toBe('')
})
