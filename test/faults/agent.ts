import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Answer, type Caller, callerOf } from '../support/caller.ts'
import { type Bench, openBench } from './bench.ts'
import { kill } from './kill.ts'
import { randomFrom } from './random.ts'
import { makePage } from './run.ts'

/** Sends each message in several copies at once, and confirms each plan by several callers, while processes are killed. */

interface AgentOptions {
  seed: number
  messages: number
  plans: number
  kills: number
  say: (text: string) => void
  opened?: (bench: Bench) => void
}

const CLIENTS = 10
const PATIENCE_MS = 120_000

export async function runAgent({ seed, messages, plans, kills, say, opened }: AgentOptions) {
  const random = randomFrom(seed)
  const bench = await openBench({ minuteMs: 60_000, say })
  opened?.(bench)
  const database = new pg.Client({ connectionString: bench.databaseUrl })
  const problems: string[] = []
  try {
    const admin = callerOf(bench.url, await makePage(bench.databaseUrl))
    await answered(() => admin.get('/admin/incidents'))
    const began = Date.now()
    const tasks = [
      ...Array.from(
        { length: messages },
        (_, index) => () => askInCopies(admin, index, random.between(2, 10), problems),
      ),
      ...Array.from({ length: plans }, (_, index) => () => confirmByMany(admin, index, random.between(2, 5), problems)),
    ]
    const order = tasks.map((task) => ({ task, rank: random.between(0, 1_000_000) })).sort((a, b) => a.rank - b.rank)
    let next = 0
    const client = async () => {
      for (let one = order[next++]; one; one = order[next++]) await one.task()
    }
    const killing = kill(bench, random, kills, () => next / order.length, say)
    await Promise.all(Array.from({ length: CLIENTS }, client))
    await killing
    const seconds = (Date.now() - began) / 1000
    await database.connect()
    problems.push(...(await compare(database, messages, plans)))
    return { problems, figures: { seed, messages, plans, kills, seconds } }
  } finally {
    await database.end().catch(() => {})
    await bench.close()
    if (problems.length === 0) rmSync(bench.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Repeats a call until the service answers, as a client does. */
export async function answered(call: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await call().catch(() => undefined)
    if (answer && answer.status < 500) return answer
    if (Date.now() > deadline) throw new Error(`no answer in ${PATIENCE_MS} ms, the last was ${answer?.status}`)
    await sleep(100)
  }
}

/** Each copy repeats its message until the answer is there; all copies must get the same answer. */
async function askInCopies(admin: Caller, index: number, copies: number, problems: string[]): Promise<void> {
  const message = {
    query: 'What can you do?',
    delegating_agent: { chat_app_id: 'faults' },
    conversation: { external_message_key: `message ${index}` },
  }
  const ask = async () => {
    const deadline = Date.now() + PATIENCE_MS
    for (;;) {
      const { status, body } = await answered(() => admin.post('/admin/agent/delegations/respond', message))
      if (status === 200 && body.outcome !== 'processing') return JSON.stringify(body)
      if (status !== 200 || Date.now() > deadline)
        throw new Error(`message ${index}: ${status} ${JSON.stringify(body)}`)
      await sleep(50)
    }
  }
  const answers = new Set(await Promise.all(Array.from({ length: copies }, ask)))
  if (answers.size !== 1) problems.push(`message ${index} has ${answers.size} answers`)
}

async function confirmByMany(admin: Caller, index: number, callers: number, problems: string[]): Promise<void> {
  const steps = ['a', 'b', 'c'].map((part) => ({
    operation: 'incidents.create',
    input: { title: `Plan ${index} ${part}` },
  }))
  const draft = () => admin.post('/admin/agent/delegations/plans', { steps }, { 'Idempotency-Key': `plan ${index}` })
  let drafted = await answered(draft)
  while (drafted.status === 409) drafted = await answered(draft)
  const path = `/admin/agent/delegations/plans/${drafted.body.id}`
  const confirm = async () => {
    const { status, body } = await answered(() => admin.post(`${path}/confirm`))
    if (status >= 400) problems.push(`plan ${index}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
  }
  await Promise.all(Array.from({ length: callers }, confirm))
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const { body } = await answered(() => admin.get(path))
    if (body.status === 'executed') return
    if (body.status !== 'executing' || Date.now() > deadline) {
      problems.push(`plan ${index} is ${body.status}`)
      return
    }
    await sleep(100)
  }
}

async function compare(database: pg.Client, messages: number, plans: number): Promise<string[]> {
  const problems: string[] = []
  const { rows: turns } = await database.query<{ count: number; keys: number }>(
    'select count(*)::int as count, count(distinct message_key)::int as keys from delegation_turn',
  )
  if (turns[0]!.count !== messages || turns[0]!.keys !== messages) {
    problems.push(`${turns[0]!.count} turns of ${turns[0]!.keys} messages, not ${messages}`)
  }
  const { rows: made } = await database.query<{ title: string; count: number }>(
    "select title, count(*)::int as count from incident where title like 'Plan %' group by title",
  )
  if (made.length !== plans * 3) problems.push(`${made.length} of ${plans * 3} steps have an effect`)
  for (const { title, count } of made) if (count !== 1) problems.push(`the step ${title} has ${count} effects`)
  return problems
}
