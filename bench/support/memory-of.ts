import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

export interface Memory {
  megabytes: number
  resident: number
  kind: string
}

/** The memory of a process. Linux divides shared pages among the processes that share them; elsewhere they count in full. */
export function memoryOf(pid: number): Memory {
  const rollup = `/proc/${pid}/smaps_rollup`
  if (!existsSync(rollup)) {
    const resident = megabytes(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
    return { megabytes: resident, resident, kind: 'Resident memory (RSS)' }
  }
  const text = readFileSync(rollup, 'utf8')
  const field = (name: string) => megabytes(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1])
  return { megabytes: field('Pss'), resident: field('Rss'), kind: 'Proportional memory (PSS)' }
}

const megabytes = (kibibytes: string | undefined) => (Number(kibibytes) * 1024) / 1e6
