import { parseArgs } from 'node:util'
import { StartError } from '../src/local/embedded/errors.ts'
import agent from './agent.ts'
import api from './api.ts'
import beats from './beats.ts'
import ingest from './ingest.ts'
import inputs from './inputs.ts'
import maintenance from './maintenance.ts'
import memory from './memory.ts'
import notify from './notify.ts'
import outage from './outage.ts'
import page from './page.ts'
import readers from './readers.ts'
import reads from './reads.ts'
import rendering from './rendering.ts'
import rules from './rules.ts'
import type { Say } from './support/bench-service.ts'
import { document } from './support/document.ts'
import { passes, type Report, rendered } from './support/report.ts'
import wakeups from './wakeups.ts'

/**
 * `npm run bench` measures everything that the project claims, `npm run bench -- api` one of it;
 * `--write` puts the results into docs/benchmarks.md. A target that is missed ends it with 1.
 */
const benches: Record<string, (say: Say) => Promise<Report>> = {
  api,
  wakeups,
  maintenance,
  beats,
  outage,
  memory,
  reads,
  rules,
  inputs,
  ingest,
  agent,
  notify,
  page,
  readers,
  rendering,
}

const say: Say = (message) => console.error(message)

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
  const unknown = positionals.find((name) => !(name in benches))
  if (unknown) throw new StartError(`There is no benchmark "${unknown}", only ${Object.keys(benches).join(', ')}.`)
  for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
    const report = await benches[name]!(say)
    const text = await rendered(name, report)
    console.log(`${text}\n`)
    if (values.write) document(name, text)
    if (!report.figures.every(passes)) process.exitCode = 1
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exit(1)
})
