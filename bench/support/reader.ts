import { connect } from 'node:net'

/** A client in a process of its own that reads one address over and over, with little work for each answer. */
export interface ReadJob {
  port: number
  path: string
  headers: Record<string, string>
  seconds: number
  concurrency: number
  /** The status of each answer. */
  status: number
}

export interface ReadRate {
  /** Answers in a second. */
  rate: number
  failures: string[]
}

function requestOf({ path, headers, port }: ReadJob): Buffer {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
}

const END = Buffer.from('\r\n\r\n')

/** Reads until the end of the job, one request after the other on one connection; the number of answers. */
function readOver(job: ReadJob, until: number, failures: string[]): Promise<number> {
  const request = requestOf(job)
  const begin = `HTTP/1.1 ${job.status} `
  return new Promise((resolve) => {
    let count = 0
    let missing = 0
    const socket = connect(job.port, '127.0.0.1', () => socket.write(request))
    const end = (failure?: string) => {
      if (failure) failures.push(failure)
      socket.destroy()
      resolve(count)
    }
    socket.once('error', (error) => end(String(error)))
    socket.on('data', (chunk) => {
      if (missing > 0) missing -= chunk.length
      else {
        const head = chunk.indexOf(END)
        const text = chunk.toString('latin1', 0, head)
        if (head < 0 || !text.startsWith(begin)) return end(text.slice(0, 200))
        const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(text) ?? []
        missing = Number(length) - (chunk.length - head - END.length)
      }
      if (missing > 0) return
      count += 1
      if (performance.now() < until) socket.write(request)
      else end()
    })
  })
}

async function run(job: ReadJob): Promise<ReadRate> {
  const failures: string[] = []
  const started = performance.now()
  const until = started + job.seconds * 1000
  const counts = await Promise.all(Array.from({ length: job.concurrency }, () => readOver(job, until, failures)))
  const seconds = (performance.now() - started) / 1000
  return { rate: counts.reduce((sum, count) => sum + count, 0) / seconds, failures: failures.slice(0, 5) }
}

process.on('message', (job: ReadJob) => void run(job).then((rate) => process.send?.(rate)))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: {} })
