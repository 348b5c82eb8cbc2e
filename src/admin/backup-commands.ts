import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Config, ConfigError } from '../config.ts'
import { openKeyring } from '../domain/kernel/keyring.ts'
import { adopt } from '../local/embedded/detached.ts'
import { reasonOf } from '../local/embedded/errors.ts'
import { stopProcess } from '../local/embedded/processes.ts'
import { withEmbeddedDatabase, withStoppedService } from '../local/embedded-database.ts'
import { keysFile } from '../local/encryption-keys.ts'
import { stopStaleProcesses } from '../local/stale-processes.ts'
import { writeBackup } from '../persistence/backup.ts'
import { headIn, keysInUse, NotRestorable, restoreBackup } from '../persistence/restore.ts'

/** Commands that copy the whole database to a file and back. */
export const fileCommands: Record<string, (file: string, config: Config) => Promise<string>> = { backup, restore }

/** Works while the service runs. The file gets its name when it is complete. */
async function backup(file: string, config: Config): Promise<string> {
  refuseOther(config, 'pg_dump')
  if (existsSync(file)) throw new ConfigError(`The file ${file} already exists: name another file.`)
  const partial = `${file}.partial`
  const out = createWriteStream(partial, { mode: 0o600, flags: 'w', flush: true })
  await opened(out, partial)
  const gzip = createGzip()
  const written = pipeline(gzip, out)
  // A failure of the database is reported first.
  written.catch(() => {})
  try {
    let rows = 0
    await withEmbeddedDatabase(config.DATA_DIR, async (url) => {
      rows = await Promise.race([writeBackup(url, gzip), written.then(() => 0)])
    })
    gzip.end()
    await written
    renameSync(partial, file)
    return `Copied ${rows} rows to ${file}. The copy does not contain the encryption keys: keep ${keysOf(config)} in another place.`
  } catch (error) {
    gzip.destroy()
    await finished(out).catch(() => {})
    rmSync(partial, { force: true })
    throw error
  }
}

async function restore(file: string, config: Config): Promise<string> {
  refuseOther(config, 'pg_restore')
  const source = createReadStream(file)
  await opened(source, file)
  const lines = linesOf(source)
  try {
    const head = headIn((await lines.next()).value)
    return await withStoppedService(config.DATA_DIR, async (url) => {
      await stopStaleProcesses(config.DATA_DIR)
      const rows = await restoreBackup(url, { head, lines })
      await forgetTemporal(join(config.DATA_DIR, 'temporal'))
      const warning = await missingKeys(config, await keysInUse(url))
      return `Restored ${rows} rows as of ${head.made_at}. The next start continues from this state.${warning}`
    })
  } finally {
    source.destroy()
  }
}

async function opened(stream: NodeJS.EventEmitter, path: string): Promise<void> {
  try {
    await once(stream, 'open')
  } catch (error) {
    throw new ConfigError(`The file ${path} cannot be used: ${reasonOf(error)}.`)
  }
}

function refuseOther({ DATABASE_URL }: Config, program: string): void {
  if (!DATABASE_URL) return
  throw new ConfigError(
    `DATABASE_URL names your own PostgreSQL: use ${program} as described in docs/operations.md. ` +
      'This command is for the database that `npm start` runs.',
  )
}

async function* linesOf(source: NodeJS.ReadableStream): AsyncGenerator<string, undefined> {
  const unzipped = createGunzip()
  const broken = pipeline(source, unzipped).then(
    () => undefined,
    () => new NotRestorable('The copy is damaged or incomplete; nothing was changed.'),
  )
  // Only a line feed ends a line: a row can contain other characters at which readline splits.
  let rest = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of unzipped) {
      const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
      rest = parts.pop()!
      yield* parts
    }
  } catch {
    // The pipeline has the reason.
  }
  const reason = await broken
  if (reason) throw reason
  return undefined
}

/** Deletes the Temporal database, whose workflows are newer than the copy. The worker starts all workflows again. */
async function forgetTemporal(dir: string): Promise<void> {
  const running = adopt(dir, 'temporal')
  if (running) await stopProcess(running, [['SIGTERM', 10_000]])
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

const keysOf = (config: Config) => (config.ENCRYPTION_KEYS ? 'ENCRYPTION_KEYS' : keysFile(config))

async function missingKeys(config: Config, used: string[]): Promise<string> {
  const path = keysFile(config)
  const keys = config.ENCRYPTION_KEYS ?? (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined)
  const missing = used.filter((id) => !keys || !openKeyring(keys).holds(id))
  if (missing.length === 0) return ''
  return `\nThe secrets of the copy need the encryption key ${missing.join(' and ')}: add the key to ${keysOf(config)} before the next start.`
}
