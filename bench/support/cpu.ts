import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

interface Times {
  parent: number
  own: number
  reaped: number
}

/** The CPU time of a process and of all its children, those that have ended included; in milliseconds. */
export function cpuOf(pid: number): number {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const times = timesOf(Number(name))
        return times ? [[Number(name), times] as const] : []
      }),
  )
  const children = [...all].filter(([, { parent }]) => parent === pid)
  const { own = 0, reaped = 0 } = all.get(pid) ?? {}
  return (own + reaped + children.reduce((sum, [, times]) => sum + times.own + times.reaped, 0)) * TICK_MS
}

/** The CPU time of a Node process by kind of thread; in milliseconds. */
export function cpuByThread(pid: number): { main: number; workers: number; native: number } {
  const sums = { main: 0, workers: 0, native: 0 }
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const times = timesOf(`${pid}/task/${thread}`)
    if (!times) continue
    const kind = thread === String(pid) ? 'main' : times.name === 'WorkerThread' ? 'workers' : 'native'
    sums[kind] += times.own * TICK_MS
  }
  return sums
}

function timesOf(path: number | string): (Times & { name: string }) | undefined {
  try {
    const text = readFileSync(`/proc/${path}/stat`, 'utf8')
    const [begin, end] = [text.indexOf('('), text.lastIndexOf(')')]
    const fields = text
      .slice(end + 2)
      .split(' ')
      .map(Number)
    const name = text.slice(begin + 1, end)
    return { name, parent: fields[1]!, own: fields[11]! + fields[12]!, reaped: fields[13]! + fields[14]! }
  } catch {
    return undefined
  }
}

/** The CPU time that this thread takes for a piece of work; in milliseconds. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
