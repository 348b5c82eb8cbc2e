import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withEmbeddedDatabase } from '../src/local/embedded-database.ts'
import { seedBeats } from './support/beats.ts'
import type { Say } from './support/bench-service.ts'
import { startChild } from './support/child.ts'
import { type Install, startInstall } from './support/install.ts'
import { cpuOfInstall, mapped } from './support/install-cpu.ts'
import { memoryOf } from './support/memory-of.ts'
import type { Figure, Report } from './support/report.ts'

const BEATS = 300
const INTERVAL_SECONDS = 30
/** After about 95 s V8 has given back what the start left. */
const SETTLE_SECONDS = 120
const SECONDS = 60

/** What the whole install takes: while nothing happens, and with beats that are checked. */
export default async function memory(say: Say): Promise<Report> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-bench-'))
  const target = await startChild(new URL('./support/check-target.ts', import.meta.url), {})
  const settings = { PORT: '0', BEAT_TARGETS: 'any' }
  say('The first start, which compiles the code')
  await (await startInstall(dir, settings)).stop()
  const install = await startInstall(dir, settings)
  try {
    say(`Idle: ${SETTLE_SECONDS} s to settle, then ${SECONDS} s`)
    const idle = await measured(install)
    await withEmbeddedDatabase(dir, async (connectionString) => {
      const database = new pg.Client({ connectionString })
      await database.connect()
      await seedBeats(database, BEATS, `http://127.0.0.1:${target.ready.port}`, INTERVAL_SECONDS)
      await database.end()
    })
    say(`With ${BEATS} beats: as long again`)
    const busy = await measured(install)
    return {
      how: [
        `The second \`npm start\`, without the example: ${SETTLE_SECONDS} s after its start, and ${SETTLE_SECONDS} s after ${BEATS} HTTP beats of ${INTERVAL_SECONDS} s were added. ${busy.kind}; CPU in cores, over ${SECONDS} s. The first start after \`npm ci\` compiles the code, for which the supervisor keeps more.`,
      ],
      figures: [
        { name: `all, with ${BEATS} beats`, value: sumOf(busy.memory), unit: 'MB', target: { atMost: 600 } },
        { name: 'supervisor', value: busy.memory.get('supervisor')!, unit: 'MB', target: { atMost: 60 } },
        { name: 'all, idle: CPU', value: sumOf(idle.cpu), unit: 'cores', target: { atMost: 0.03 } },
        ...figuresOf(`with ${BEATS} beats`, busy),
        ...figuresOf('idle', idle),
      ],
    }
  } finally {
    await install.stop()
    await target.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

interface Measured {
  kind: string
  memory: Map<string, number>
  cpu: Map<string, number>
}

async function measured(install: Install): Promise<Measured> {
  await sleep(SETTLE_SECONDS * 1000)
  const cpu = await cpuOfInstall(install, SECONDS)
  return {
    kind: memoryOf(install.processes().get('supervisor')![0]!).kind,
    memory: mapped(install.processes(), (pids) => pids.reduce((sum, pid) => sum + memoryOf(pid).megabytes, 0)),
    cpu,
  }
}

const sumOf = (values: Map<string, number>) => [...values.values()].reduce((sum, value) => sum + value, 0)

function figuresOf(when: string, { memory, cpu }: Measured): Figure[] {
  return [...memory].flatMap(([name, value]) => [
    { name: `${name}, ${when}`, value, unit: 'MB' },
    { name: `${name}, ${when}: CPU`, value: cpu.get(name) ?? 0, unit: 'cores' },
  ])
}
