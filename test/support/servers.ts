/** The servers that one run of the tests shares. Each test file has a database of its own on them. */
export interface TestServers {
  /** The administrative database; `database.ts` makes others next to it. */
  postgresUrl: string
  temporalAddress: string
  timeSkippingServer: string
}

export const TEMPLATE = 'upbeat_template'
const VARIABLE = 'UPBEAT_TEST_SERVERS'

export function setTestServers(servers: TestServers): void {
  process.env[VARIABLE] = JSON.stringify(servers)
}

export function testServers(): TestServers {
  const value = process.env[VARIABLE]
  if (!value) throw new Error('The test servers are not running: run the tests with `npm test` or jest.')
  return JSON.parse(value)
}

export function databaseUrl(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}
