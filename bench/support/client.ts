import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'

/** A client in a process of its own: so many at a time, each sending its next report when the last is answered. */
export interface Job {
  port: number
  path: string
  token: string
  seconds: number
  concurrency: number
  /** An event instead of an incident; 202 is then the answer of a success. */
  event?: object
}

export interface Load {
  /** Successes in a second. */
  rate: number
  p50: number
  p99: number
  failures: string[]
}

const agent = new Agent({ keepAlive: true })

function report({ port, path, token, event }: Job): Promise<string | undefined> {
  const key = randomUUID()
  const body = JSON.stringify(
    event ?? {
      title: 'Payments fail for some customers',
      description: 'About one in ten card payments is declined although the card is fine.',
      external_id: key,
      reminder_interval_minutes: 60,
    },
  )
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(event ? {} : { 'Idempotency-Key': key }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      response
        .resume()
        .once('end', () => resolve(response.statusCode === (event ? 202 : 201) ? undefined : `${response.statusCode}`))
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

async function run(job: Job): Promise<Load> {
  const failures: string[] = []
  const times: number[] = []
  const started = performance.now()
  const end = started + job.seconds * 1000
  const one = async () => {
    for (let now = performance.now(); now < end; ) {
      const failure = await report(job).catch(String)
      const then = now
      now = performance.now()
      if (failure) failures.push(failure)
      else times.push(now - then)
    }
  }
  await Promise.all(Array.from({ length: job.concurrency }, one))
  const elapsed = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { rate: times.length / elapsed, p50: at(0.5), p99: at(0.99), failures: failures.slice(0, 5) }
}

process.on('message', (job: Job) => void run(job).then((load) => process.send?.(load)))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: {} })
