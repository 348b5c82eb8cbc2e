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

function timesOf(pid: number): Times | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, reaped: fields[13]! + fields[14]! }
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
