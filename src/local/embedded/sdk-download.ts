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
 * Lets the SDK of Temporal download a server, in a separate process: the download cannot be cancelled, and it creates the
 * runtime of the SDK, of which this process may need another. Returns the file in `dir`.
 */
export async function sdkDownload(
  { kind, version }: Wanted,
  dir: string,
  { print, signal }: Pick<ToolOptions, 'print' | 'signal'>,
): Promise<{ file: string } | { failure: string }> {
  print(`Downloading the ${NAMES[kind]} ${version} (only at the first start)`)
  const failure = await failureOf({
    command: process.execPath,
    args: [join(import.meta.dirname, 'sdk-download-process.ts'), kind, version, dir],
    progress: (seconds) => `Downloading the ${NAMES[kind]}: ${seconds} s so far, at most ${LIMIT_MS / 1000} s`,
    print,
    signal,
    timeoutMs: LIMIT_MS,
  })
  signal?.throwIfAborted()
  // Only the file counts: the start after the download has 5 s, which a slow machine may exceed.
  const name = readdirSync(dir).find((found) => found.startsWith('temporal') && !found.endsWith('.downloading'))
  return name ? { file: join(dir, name) } : { failure: failure ?? 'the download left no file' }
}
