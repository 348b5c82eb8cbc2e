import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../src/local/embedded/ports.ts'
import { withEmbeddedDatabase } from '../src/local/embedded-database.ts'
import { type Caller, callerOf } from '../test/support/caller.ts'
import type { Say } from './support/bench-service.ts'
import { found } from './support/found.ts'
import { type Install, startInstall } from './support/install.ts'
import { cpuOfInstall } from './support/install-cpu.ts'
import type { Report } from './support/report.ts'

const QUESTIONS = 300
const PLANS = 50
const SETTLE_SECONDS = 45
const SECONDS = 90

/** What an answer of the planner costs beyond the operation that the answer reads, and what waiting plans cost. */
export default async function agent(say: Say): Promise<Report> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-bench-'))
  const [port] = await freePorts([undefined])
  const install = await startInstall(dir, { PORT: String(port), RATE_LIMITS: 'off' })
  try {
    let token = ''
    await withEmbeddedDatabase(dir, async (url) => {
      token = await found(url)
    })
    const caller = callerOf(`http://127.0.0.1:${port}`, token)
    for (let n = 0; n < 5; n += 1) await caller.post('/admin/incidents', { title: `Incident ${n}` })
    say(`${QUESTIONS} questions, each followed by the operation that its answer reads`)
    const times = await askAndRead(caller)
    say(`CPU without plans, then with ${PLANS} waiting plans: ${SETTLE_SECONDS} s to settle, then ${SECONDS} s each`)
    const idle = await cores(install)
    for (let n = 0; n < PLANS; n += 1) {
      const steps = [{ operation: 'incidents.create', input: { title: `Planned ${n}` } }]
      const { status } = await caller.post('/admin/agent/delegations/plans', { steps })
      if (status !== 201) throw new Error(`a plan was answered with ${status}`)
    }
    const waiting = await cores(install)
    const [respond, read] = [median(times.map(({ respond }) => respond)), median(times.map(({ read }) => read))]
    return {
      how: [
        `\`npm start\` in an empty directory. ${QUESTIONS} times in turn, one request at a time: \`respond\` with "Which incidents are open?", each under its own message key, and \`GET /admin/incidents?state=open&view=full\` with the same five incidents; medians.`,
        `CPU in cores of all processes over ${SECONDS} s, ${SETTLE_SECONDS} s after the last request, without plans and with ${PLANS} plans that wait for their confirmation.`,
      ],
      figures: [
        { name: 'respond beyond the operation, p50', value: respond - read, unit: 'ms', target: { atMost: 60 } },
        { name: 'respond, p50', value: respond, unit: 'ms' },
        { name: 'the operation called directly, p50', value: read, unit: 'ms' },
        { name: `CPU of ${PLANS} waiting plans`, value: waiting - idle, unit: 'cores', target: { atMost: 0.005 } },
        { name: 'CPU without plans', value: idle, unit: 'cores' },
      ],
    }
  } finally {
    await install.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function askAndRead(caller: Caller): Promise<{ respond: number; read: number }[]> {
  const times = []
  for (let n = 0; n < QUESTIONS; n += 1) {
    const conversation = { external_message_key: `question ${n}` }
    const message = { query: 'Which incidents are open?', conversation }
    const respond = await timed(async () => {
      const { body } = await caller.post('/admin/agent/delegations/respond', message)
      if (body.outcome !== 'answered') throw new Error(`the outcome of a question was ${body.outcome}`)
    })
    const read = await timed(async () => {
      await caller.get('/admin/incidents?state=open&view=full')
    })
    times.push({ respond, read })
  }
  return times
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function cores(install: Install): Promise<number> {
  await sleep(SETTLE_SECONDS * 1000)
  return [...(await cpuOfInstall(install, SECONDS)).values()].reduce((sum, value) => sum + value, 0)
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
