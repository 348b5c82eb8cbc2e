import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Command } from './detached.ts'
import { StartError } from './errors.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** The user that runs PostgreSQL, which refuses to run as root. */
export interface PostgresUser {
  /** Absent if PostgreSQL runs as the current user. */
  ids?: { uid: number; gid: number }
  command(command: string, args: string[]): Command
}

const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** If `data` exists, its owner runs PostgreSQL. */
export function postgresUser(binaries: PostgresBinaries, dir: string, data: string): PostgresUser {
  if (process.getuid?.() !== 0) return { command: (command, args) => ({ command, args, env: ENVIRONMENT }) }
  if (process.platform !== 'linux') {
    throw new StartError('PostgreSQL does not run as root: start Upbeat as an ordinary user.')
  }
  const ids = ownerOf(data) ?? idsOf('postgres') ?? created('postgres')
  const ways = [plainly(ids), keeping('dac_read_search', ids), keeping('dac_override', ids)]
  const command = ways.find((way) => reaches(way, binaries, dir))
  if (!command) {
    throw new StartError(
      `Upbeat runs as root, so PostgreSQL runs as the user ${ids.uid}, and that user cannot reach ${dir} or ` +
        `${binaries.postgres}: open the directories above them (chmod a+x), or start Upbeat as an ordinary user.`,
    )
  }
  return { ids, command }
}

type Way = PostgresUser['command']
type Ids = { uid: number; gid: number }

function plainly(ids: Ids): Way {
  return (command, args) => ({ command, args, env: ENVIRONMENT, ...ids })
}

/**
 * Runs PostgreSQL with one capability, to access data and binaries below a directory of root (/root, a `mktemp -d`): to read
 * any file or, in a container without this capability, to write any file.
 */
function keeping(capability: string, { uid, gid }: Ids): Way {
  const only = `-all,+${capability}`
  const identity = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups']
  const capabilities = ['--inh-caps', only, '--ambient-caps', only, '--bounding-set', only, '--no-new-privs']
  // initdb uses access(2), which ignores the capabilities of a user without this bit.
  const securebits = ['--securebits', '+no_setuid_fixup']
  const options = [...identity, ...capabilities, ...securebits, '--']
  return (command, args) => ({ command: 'setpriv', args: [...options, command, ...args], env: ENVIRONMENT })
}

function reaches(way: Way, { initdb, postgres, share }: PostgresBinaries, dir: string): boolean {
  const script = 'test -x "$1" && test -x "$2" && test -r "$3" && test -x "$4"'
  const { command, args, ...options } = way('/bin/sh', ['-c', script, 'sh', initdb, postgres, share, dir])
  return spawnSync(command, args, { ...options, cwd: '/' }).status === 0
}

function ownerOf(path: string): Ids | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined
}

function idsOf(name: string): Ids | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
  if (uid?.status !== 0 || gid?.status !== 0) return undefined
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

function created(name: string): Ids {
  const { status, stderr, error } = spawnSync(
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name],
    { encoding: 'utf8', env: ENVIRONMENT },
  )
  const ids = idsOf(name)
  if (ids) return ids
  throw new StartError(
    `Upbeat runs as root, PostgreSQL cannot run as root, and the user "${name}" for PostgreSQL could not be created ` +
      `(${error?.message ?? (stderr.trim() || `useradd ended with ${status}`)}): create the user, or start Upbeat as an ordinary user.`,
  )
}
