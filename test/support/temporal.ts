import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { startTemporal, type Temporal } from '../../src/local/embedded/temporal.ts'

/** A Temporal of the test's own, to be stopped, frozen, started again and robbed of its memory. */
export interface OwnTemporal {
  address: string
  start(): Promise<void>
  stop(): Promise<void>
  freeze(): void
  thaw(): void
  /** Stops it and deletes what it knows. */
  forget(): Promise<void>
  close(): Promise<void>
}

/** `settings` are dynamic configuration. */
export async function ownTemporal(settings?: Record<string, string>): Promise<OwnTemporal> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-temporal-'))
  const { CACHE_DIR: cacheDir } = readConfig(process.env)
  const launch = () => startTemporal({ dir, cacheDir, print: () => {}, settings })
  let server: Temporal = await launch()
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => process.kill(server.pid, name)
  return {
    address: server.address,
    async start() {
      server = await launch()
    },
    stop: () => server.stop(),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async forget() {
      await server.stop()
      for (const file of await readdir(dir)) if (file.startsWith('temporal.db')) await rm(join(dir, file))
    },
    async close() {
      if (server.alive()) signal('SIGCONT')
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
