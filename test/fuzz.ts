import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTestServers } from './support/servers.ts'
import { startServers } from './support/start-servers.ts'
import { openTestService } from './support/test-service.ts'

/**
 * Schemathesis against the real service, for as long as the caller wants: `npm run fuzz -- --max-examples 500`. It is
 * installed from PyPI into `.venv` on first use. What follows `--` is handed to it.
 */
const venv = join(import.meta.dirname, '..', '.venv')
const tool = join(venv, 'bin', 'schemathesis')
/** So many tokens are there to be revoked before it is the turn of the one that the fuzzer uses. */
const SPARE_TOKENS = 500

/** What it would complain of although the contract wants it so. */
const excludedChecks = [
  // Ids, slugs and references that the schema allows may name nothing, or be taken.
  'positive_data_acceptance',
  // Where a value is not unknown but of a record that is gone, a second delete is a 404.
  'use_after_free',
]

async function run(command: string, args: string[]): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

if (!existsSync(tool)) {
  const made = (await run('python3', ['-m', 'venv', venv])) === 0
  if (!made || (await run(join(venv, 'bin', 'pip'), ['install', '--quiet', 'schemathesis'])) !== 0) {
    console.error('Schemathesis could not be installed: it needs python3 with venv, and PyPI.')
    process.exit(1)
  }
}

/** Those that can take the fuzzer's own token away come last. */
const perilous = '^tokens\\.(delete|revoke|update)'

const { servers, stop } = await startServers()
setTestServers(servers)
const service = await openTestService()
for (let n = 0; n < SPARE_TOKENS; n += 1) await service.token()
const token = await service.token()
const fuzz = async (...args: string[]) =>
  run(tool, [
    'run',
    `${service.url}/api/v1/openapi.json`,
    ...['--url', service.url, '--header', `Authorization: Bearer ${token}`],
    ...['--checks', 'all', '--exclude-checks', excludedChecks.join(',')],
    ...['--max-examples', '50', '--continue-on-failure'],
    ...args,
    ...process.argv.slice(2),
  ])
const safe = await fuzz('--exclude-operation-id-regex', perilous)
const alive = (await service.as(token).get(`/orgs/${service.page.organization_id}/pages/${service.page.id}/admin/page`))
  .status
if (alive !== 200) console.error('The fuzzer lost its own token on the way: what came after that says nothing.')
const rest = await fuzz('--include-operation-id-regex', perilous, '--phases', 'examples,coverage,fuzzing')
await service.close()
await stop()
process.exit(alive === 200 ? Math.max(safe, rest) : 1)
