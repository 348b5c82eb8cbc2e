import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'

export const cacheDir = readConfig(process.env).CACHE_DIR

/** Mode 0700 and ours alone, which for root is the case that PostgreSQL finds hardest. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'upbeat-embedded-'))
}

export function messages(): { print: (message: string) => void; said: string[] } {
  const said: string[] = []
  return { print: (message) => void said.push(message), said }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** A detached process leads a group, so this takes its children too. */
export function killGroup(pid: number): void {
  kill(-pid)
}
