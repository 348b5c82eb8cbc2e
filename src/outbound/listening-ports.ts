import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** In the tables of the kernel. */
const LISTENING = '0A'

/** The TCP ports on which a process listens; none on a system without /proc. */
export function listeningPorts(pid: number): number[] {
  try {
    const files = readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`))
    const sockets = new Set(files.flatMap((file) => /^socket:\[(\d+)\]$/.exec(file)?.[1] ?? []))
    return ['tcp', 'tcp6'].flatMap((table) => portsIn(readFileSync(`/proc/${pid}/net/${table}`, 'utf8'), sockets))
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // The process has closed it in between.
    return ''
  }
}

function portsIn(table: string, sockets: ReadonlySet<string>): number[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , socket = ''] = line.trim().split(/\s+/)
    return state === LISTENING && sockets.has(socket) ? [Number.parseInt(local.split(':').at(-1)!, 16)] : []
  })
}
