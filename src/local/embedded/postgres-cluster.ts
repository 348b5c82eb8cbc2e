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

/** Other users may pass through the directory, as the user of the server must, but not list it. */
export function makeHome(dir: string): void {
  makeDirectory(dir)
  try {
    chmodSync(dir, 0o711)
  } catch (error) {
    throw new StartError(`The directory ${dir} cannot be used: ${reasonOf(error)}`)
  }
}

/** Creates the cluster if it does not exist. Returns the password of the superuser. */
export async function ensureCluster(
  dir: string,
  { initdb }: PostgresBinaries,
  user: PostgresUser,
  print: (message: string) => void,
): Promise<string> {
  const version = versionOf(dataDirectory(dir))
  if (version && version !== POSTGRES_MAJOR) {
    throw new StartError(
      `${dataDirectory(dir)} was created by PostgreSQL ${version}, but this Upbeat contains PostgreSQL ${POSTGRES_MAJOR}: dump and restore the database.`,
    )
  }
  if (version) {
    takeFromRoot(dataDirectory(dir), user)
    return existingPassword(dir)
  }
  print('Creating the database')
  const password = newPassword(dir)
  await initialise(dir, initdb, user, password)
  return password
}

/** Works in a sibling directory that is renamed at the end, so that an interrupted attempt leaves no incomplete cluster. */
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
      // The built-in provider supports Unicode and needs no locale of the machine.
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
  const [code, errors] = await Promise.all([ended, text(child.stderr!)])
  if (code !== 0) throw new Error(errors.trim() || `initdb ended with ${code}`)
}

/** Changes the owner of a cluster that root copied from a backup. */
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
  throw new StartError(`The password of the database is missing: restore ${path} from a backup.`)
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
