import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { makeDirectory } from './directories.ts'
import { reasonOf, StartError } from './errors.ts'
import { POSTGRES_MAJOR, type PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresUser } from './postgres-user.ts'

export const SUPERUSER = 'postgres'

const STAGING = 'initdb-'

export function dataDirectory(dir: string): string {
  return join(dir, 'data')
}

/** Others may pass through, as the user of the server must, but not look. */
export function makeHome(dir: string): void {
  makeDirectory(dir)
  try {
    chmodSync(dir, 0o711)
  } catch (error) {
    throw new StartError(`The directory ${dir} cannot be used: ${reasonOf(error)}`)
  }
}

/** Makes the cluster if there is none, and returns the superuser's password. */
export async function ensureCluster(
  dir: string,
  { initdb }: PostgresBinaries,
  user: PostgresUser,
  say: (message: string) => void,
): Promise<string> {
  const version = versionOf(dataDirectory(dir))
  if (version && version !== POSTGRES_MAJOR) {
    throw new StartError(
      `${dataDirectory(dir)} was made by PostgreSQL ${version}, and this Upbeat brings ${POSTGRES_MAJOR}: dump and restore it.`,
    )
  }
  if (version) {
    takeFromRoot(dataDirectory(dir), user)
    return existingPassword(dir)
  }
  say('Creating the database')
  const password = newPassword(dir)
  await initialise(dir, initdb, user, password)
  return password
}

/** All happens in a sibling that is renamed at the end, so an interrupted attempt leaves nothing that looks whole. */
async function initialise(dir: string, initdb: string, user: PostgresUser, password: string): Promise<void> {
  for (const name of readdirSync(dir)) if (name.startsWith(STAGING)) remove(join(dir, name))
  const staging = mkdtempSync(join(dir, STAGING))
  const passwordFile = join(staging, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.ids) for (const path of [staging, passwordFile]) chownSync(path, user.ids.uid, user.ids.gid)
  const made = join(staging, 'data')
  try {
    await runInitdb(user, initdb, [
      ...['--pgdata', made, '--username', SUPERUSER, '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      // The built-in provider knows Unicode and needs no locale of the machine's.
      ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ])
    renameSync(made, dataDirectory(dir))
    syncDirectory(dir)
  } catch (error) {
    throw new StartError(`The database could not be created in ${dir}: ${reasonOf(error)}`)
  } finally {
    remove(staging)
  }
}

async function runInitdb(user: PostgresUser, initdb: string, options: string[]): Promise<void> {
  const { command, args, ...rest } = user.command(initdb, options)
  const child = spawn(command, args, { ...rest, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [code, said] = await Promise.all([ended, text(child.stderr!)])
  if (code !== 0) throw new Error(said.trim() || `initdb ended with ${code}`)
}

/** Root copies a backup, and then owns it. */
function takeFromRoot(data: string, { ids }: PostgresUser): void {
  if (!ids || statSync(data).uid === ids.uid) return
  spawnSync('chown', ['-R', `${ids.uid}:${ids.gid}`, data])
}

function versionOf(data: string): string | undefined {
  const path = join(data, 'PG_VERSION')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

function existingPassword(dir: string): string {
  const path = join(dir, 'password')
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  throw new StartError(`The password of the database is missing: ${path} must be put back from a backup.`)
}

function newPassword(dir: string): string {
  const password = randomBytes(24).toString('base64url')
  writeFileSync(join(dir, 'password'), `${password}\n`, { mode: 0o600, flush: true })
  return password
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 })
}

function syncDirectory(path: string): void {
  const handle = openSync(path, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
