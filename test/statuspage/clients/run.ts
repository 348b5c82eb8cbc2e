import { isDeepStrictEqual } from 'node:util'
import { makeItem } from '../../support/maintenances.ts'
import { setTestServers } from '../../support/servers.ts'
import { startServers } from '../../support/start-servers.ts'
import { openTestService } from '../../support/test-service.ts'
import { ofArez, ofExporter, ofNpm } from './expectations.ts'
import { type Clients, installClients } from './install.ts'
import { type State, states } from './states.ts'

/** `npm run statuspage-clients`: programs for Statuspage, from their own sources, read a running service in 8 states. */
const { servers, stop } = await startServers()
setTestServers(servers)
const service = await openTestService()
const clients = await installClients()
let failed = 0
try {
  const shop = await makeItem(service, 'Shop')
  await makeItem(service, 'Search', { parent_id: shop })
  for (const state of states) {
    await state.enter(service)
    for (const [client, problem] of await problemsOf(clients, state)) {
      if (problem !== undefined) failed += 1
      console.log(`${problem === undefined ? 'reads' : 'MISREADS'}  ${state.name}: ${client}${problem ?? ''}`)
    }
  }
} finally {
  clients.remove()
  await service.close()
  await stop()
}
const total = states.length * 3
console.log(`${total - failed} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1

async function problemsOf({ readArez, readExporter, readNpm }: Clients, state: State) {
  const { url } = service
  const lines = await readExporter(url)
  const missing = ofExporter(state).filter((line) => !lines.some((found) => line.test(found)))
  const infos = lines.filter((line) => /^statuspage_(incident|maintenance)_info{.* 1\.0$/.test(line)).length
  const expected = Number(state.isOpen ?? false) + Number(state.maintenance !== undefined)
  return [
    ['aRez 0.2.4', difference(await readArez(url), ofArez(state))],
    [
      'statuspage-prometheus-exporter 2.6.0',
      missing.length === 0 && infos === expected
        ? undefined
        : `\n  no ${missing.join('\n  no ')}\n  in ${lines.join('\n     ')}`,
    ],
    ['statuspage.io 3.2.10', difference(await readNpm(url), ofNpm(state))],
  ] as const
}

function difference(found: unknown, expected: unknown): string | undefined {
  if (isDeepStrictEqual(found, expected)) return undefined
  return `\n  found    ${JSON.stringify(found)}\n  expected ${JSON.stringify(expected)}`
}
