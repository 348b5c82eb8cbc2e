import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Built from their source archives. */
const python = ['arez==0.2.4', 'statuspage-prometheus-exporter==2.6.0']
/** As its authors published it. */
const npm = 'statuspage.io@3.2.10'

interface Event {
  name: string
  status: string
}

export interface ArezAnswer {
  indicator: string
  description: string
  groups: Record<string, string>
  components: Record<string, string>
  incidents: (Event & { components: string[]; updates: string[]; impact: string })[]
  maintenances: (Event & { components: string[]; updates: string[] })[]
}

export interface NpmAnswer {
  indicator: string
  components: string[]
  all: string[]
  unresolved: string[]
  upcoming: string[]
}

export interface Clients {
  readArez(url: string): Promise<ArezAnswer>
  /** The lines of the metrics of the exporter, without comments and times. */
  readExporter(url: string): Promise<string[]>
  readNpm(url: string): Promise<NpmAnswer>
  remove(): void
}

/** Installs the clients in a folder of their own. */
export async function installClients(): Promise<Clients> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-statuspage-'))
  const bin = (name: string) => join(dir, 'venv', 'bin', name)
  await run('python3', ['-m', 'venv', join(dir, 'venv')])
  await run(bin('pip'), ['install', '--quiet', '--no-binary', 'arez,statuspage-prometheus-exporter', ...python])
  writeFileSync(join(dir, 'package.json'), '{"private": true}')
  await run('npm', ['install', '--silent', '--ignore-scripts', npm], { cwd: dir })
  const { Statuspage } = createRequire(join(dir, 'package.json'))('statuspage.io')
  return {
    async readArez(url) {
      const { stdout } = await run(bin('python'), [join(import.meta.dirname, 'read_arez.py'), url])
      return JSON.parse(stdout)
    },
    async readExporter(url) {
      const services = join(dir, 'services.json')
      const metrics = join(dir, 'metrics.prom')
      writeFileSync(services, JSON.stringify({ page: { url: `${url}/api/v2/summary.json`, name: 'Page' } }))
      const env = {
        RUN_MODE: 'once',
        CLEAR_CACHE: 'true',
        SERVICES_JSON_PATH: services,
        METRICS_TEXTFILE_PATH: metrics,
      }
      await run(bin('statuspage-prometheus-exporter'), [], { cwd: dir, env: { ...process.env, ...env } })
      const lines = readFileSync(metrics, 'utf8').split('\n')
      return lines.filter((line) => line.startsWith('statuspage_') && !/timestamp|response_time|uptime/.test(line))
    },
    async readNpm(url) {
      const page = new Statuspage('page')
      page.setApiUrl(url)
      const { incidents, scheduledMaintenances } = page.api
      const statuses = (records: Event[]) => records.map(({ name, status }) => `${name}: ${status}`)
      return {
        indicator: (await page.api.getStatus()).status.indicator,
        components: statuses((await page.api.getComponents()).components),
        all: statuses((await incidents.getAll()).incidents),
        unresolved: statuses((await incidents.getUnresolved()).incidents),
        // The other lists of maintenances of this client read the same address.
        upcoming: statuses((await scheduledMaintenances.getUpcoming()).scheduled_maintenances),
      }
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}
