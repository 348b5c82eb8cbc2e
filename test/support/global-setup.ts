import { tellTests } from './servers.ts'
import { startServers } from './start-servers.ts'

export default async function setUp(): Promise<void> {
  const { servers, stop } = await startServers()
  tellTests(servers)
  ;(globalThis as { stopTestServers?: () => Promise<void> }).stopTestServers = stop
}
