import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf } from './cpu.ts'
import type { Install } from './install.ts'

/** The CPU of each process of an install over some seconds, in cores. */
export async function cpuOfInstall(install: Install, seconds: number): Promise<Map<string, number>> {
  const processes = install.processes()
  const before = mapped(processes, ([pid]) => cpuOf(pid!))
  await sleep(seconds * 1000)
  const cpu = mapped(processes, ([pid], name) => (cpuOf(pid!) - before.get(name)!) / (seconds * 1000))
  // Of the supervisor, the others are counted as its children, too.
  const others = [...cpu].filter(([name]) => name !== 'supervisor')
  cpu.set('supervisor', Math.max(0, cpu.get('supervisor')! - others.reduce((sum, [, value]) => sum + value, 0)))
  return cpu
}

export function mapped(
  processes: Map<string, number[]>,
  figureOf: (pids: number[], name: string) => number,
): Map<string, number> {
  return new Map([...processes].map(([name, pids]) => [name, figureOf(pids, name)]))
}
