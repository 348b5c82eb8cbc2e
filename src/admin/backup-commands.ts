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

/** Commands about a copy of the whole database in one file. */
export const fileCommands: Record<string, (file: string, config: Config) => Promise<string>> = { backup, restore }

/** The service goes on meanwhile. The file gets its name once it is whole. */
async function backup(file: string, config: Config): Promise<string> {
  refuseOther(config, 'pg_dump')
  if (existsSync(file)) throw new ConfigError(`The file ${file} exists already: name another one.`)
  const partial = `${file}.partial`
  const out = createWriteStream(partial, { mode: 0o600, flags: 'w', flush: true })
  await opened(out, partial)
  const gzip = createGzip()
  const written = pipeline(gzip, out)
  // A failure of the database comes first, and is the one that is reported.
  written.catch(() => {})
  try {
    let rows = 0
    await withEmbeddedDatabase(config.DATA_DIR, async (url) => {
      rows = await Promise.race([writeBackup(url, gzip), written.then(() => 0)])
    })
    gzip.end()
    await written
    renameSync(partial, file)
    return `${rows} rows are copied to ${file}. The copy does not hold the encryption keys: keep ${keysOf(config)} elsewhere.`
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
      return `${rows} rows are restored as they were at ${head.made_at}. The next start goes on from there.${warning}`
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
    `DATABASE_URL names a PostgreSQL of your own: use ${program}, as docs/operations.md describes. ` +
      'This command is for the database that `npm start` runs.',
  )
}

async function* linesOf(source: NodeJS.ReadableStream): AsyncGenerator<string, undefined> {
  const unzipped = createGunzip()
  const broken = pipeline(source, unzipped).then(
    () => undefined,
    () => new NotRestorable('The copy is damaged or incomplete; nothing was changed.'),
  )
  // Only a line feed ends a line: a row may hold other characters that readline takes for the end of one.
  let rest = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of unzipped) {
      const parts = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
      rest = parts.pop()!
      yield* parts
    }
  } catch {
    // The pipeline knows why.
  }
  const reason = await broken
  if (reason) throw reason
  return undefined
}

/** The workflows of a Temporal that knows what came after the copy are of no use; it starts empty, and is filled again. */
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
  return `\nIts secrets need the encryption key ${missing.join(' and ')}: put it back into ${keysOf(config)} before you start.`
}
