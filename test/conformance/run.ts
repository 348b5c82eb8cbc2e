import { runSuite, versions } from './suite.ts'

/** `npm run conformance`: the published scenarios of both versions of the protocol. */
for (const version of versions) {
  const { passed, summary, output } = await runSuite(version)
  console.log(`MCP ${version}: ${passed ? 'conforms' : 'does not conform'}\n${passed ? summary : output}`)
  if (!passed) process.exitCode = 1
}
