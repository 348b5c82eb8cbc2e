import { setTestServers } from './servers.ts'
import { startServers } from './start-servers.ts'

export default async function setUp(): Promise<void> {
  const { servers, stop } = await startServers()
  setTestServers(servers)
  ;(globalThis as { stopTestServers?: () => Promise<void> }).stopTestServers = stop
}
