import { parseArgs } from 'node:util'
import { setTestServers } from '../support/servers.ts'
import { startServers } from '../support/start-servers.ts'
import { measureGrid } from './measure.ts'

/** `npm run grid`: ten minutes, or as many seconds as are given, and held to what the project promises. */
const { positionals } = parseArgs({ allowPositionals: true })
const { servers, stop } = await startServers()
setTestServers(servers)
try {
  const figures = await measureGrid(Number(positionals[0] ?? 600))
  console.log(JSON.stringify(figures, null, 2))
  const kept = figures.worstSlopeMs <= 1 && figures.latenessP99 < 250
  console.log(kept ? 'PASS' : 'MISS: the slope is to be within 1 ms of the interval, and lateness, p99, under 250 ms')
  if (!kept) process.exitCode = 1
} finally {
  await stop()
}
process.exit()
