import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { failureOf } from './long-command.ts'
import type { ToolOptions } from './tool-cache.ts'

interface Wanted {
  kind: 'dev-server' | 'time-skipping'
  /** A release such as v1.5.1. */
  version: string
}

const LIMIT_MS = 60_000

const NAMES = { 'dev-server': 'Temporal server', 'time-skipping': 'time-skipping test server of Temporal' }

/**
 * Temporal's SDK downloads a server when it is asked to start one. That happens in a process of its own: it cannot be
 * cancelled, and it makes the SDK's runtime, of which the asking process may want another. Returns the file in `dir`.
 */
export async function sdkDownload(
  { kind, version }: Wanted,
  dir: string,
  { say, signal }: Pick<ToolOptions, 'say' | 'signal'>,
): Promise<{ file: string } | { failure: string }> {
  say(`Downloading the ${NAMES[kind]} ${version}, once`)
  const failure = await failureOf({
    command: process.execPath,
    args: [join(import.meta.dirname, 'sdk-download-process.ts'), kind, version, dir],
    progress: (seconds) => `Downloading it: ${seconds} s so far, at most ${LIMIT_MS / 1000} s`,
    say,
    signal,
    timeoutMs: LIMIT_MS,
  })
  signal?.throwIfAborted()
  // What counts is the file: a machine may be too slow for the start that follows, which has 5 s.
  const name = readdirSync(dir).find((found) => found.startsWith('temporal') && !found.endsWith('.downloading'))
  return name ? { file: join(dir, name) } : { failure: failure ?? 'it left no file' }
}
