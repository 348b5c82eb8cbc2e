import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What `npm start` brings up, without npm: the supervisor and everything below it. */
export interface Install {
  /** What runs now, by name; the servers are detached, so they are known by what they have written down. */
  processes(): Map<string, number[]>
  stop(): Promise<void>
}

const LONGEST_STOP_MS = 30_000
const root = new URL('../../', import.meta.url)
const packageFile = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

export async function startInstall(dataDir: string, env: Record<string, string>): Promise<Install> {
  const child = spawn('sh', ['-c', `${packageFile.scripts.start} --no-example`], {
    cwd: fileURLToPath(root),
    env: { ...process.env, ...env, DATA_DIR: dataDir, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await ready(child)
  return {
    processes: () => processesOf(dataDir, child.pid!),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP_MS)
      await gone
      clearTimeout(late)
    },
  }
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', () => reject(new Error(`npm start ended: ${said}`)))
    child.stdout!.on('data', (chunk) => {
      said += chunk
      if (said.includes('Upbeat is ready.')) resolve()
    })
  })
}

function processesOf(dataDir: string, supervisor: number): Map<string, number[]> {
  const children = childrenByParent()
  const written = (file: string): number => JSON.parse(readFileSync(`${dataDir}/${file}`, 'utf8')).pid
  const postmaster = Number(readFileSync(`${dataDir}/postgres/data/postmaster.pid`, 'utf8').split('\n')[0])
  return new Map([
    ['supervisor', [supervisor]],
    ['API', [written('api.json')]],
    ['worker', [written('worker.json')]],
    ['Temporal', [written('temporal/temporal.json')]],
    ['PostgreSQL', [postmaster, ...(children.get(postmaster) ?? [])]],
  ])
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      children.set(parent, [...(children.get(parent) ?? []), Number(name)])
    } catch {
      // It has ended in between.
    }
  }
  return children
}
