import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { logTail, startDetached } from '../../src/local/embedded/detached.ts'
import { StartError } from '../../src/local/embedded/errors.ts'
import { freePorts } from '../../src/local/embedded/ports.ts'
import { isAlive, stopProcess } from '../../src/local/embedded/processes.ts'
import type { ToolOptions } from '../../src/local/embedded/tool-cache.ts'
import { ensureNamespace, openTemporal } from '../../src/orchestration/client.ts'
import { DATABASES, dynamicConfig, temporalConfig, wishedPorts } from './temporal-config.ts'
import { temporalTools } from './temporal-tools.ts'

interface Options extends ToolOptions {
  dir: string
  /** The server that holds Temporal's databases, next to ours. */
  postgresUrl: string
  namespace: string
}

export interface ProductionTemporal {
  address: string
  pid: number
  stop(): Promise<void>
}

const NAME = 'temporal'
const PATIENCE_MS = 60_000

/** Temporal as in production: the real server, its databases on PostgreSQL, and our namespace registered. */
export async function startProductionTemporal(options: Options): Promise<ProductionTemporal> {
  const { dir, postgresUrl, namespace, print } = options
  const { server, sqlTool } = await temporalTools(options)
  print('Setting up the databases of a production-like Temporal')
  await makeDatabases(sqlTool, postgresUrl)
  const dynamicConfigPath = join(dir, 'config', 'dynamic.yaml')
  const { json, frontendPort } = temporalConfig(postgresUrl, await freePorts(wishedPorts()), dynamicConfigPath)
  mkdirSync(join(dir, 'config'), { recursive: true })
  writeFileSync(dynamicConfigPath, dynamicConfig)
  writeFileSync(join(dir, 'config', 'production.yaml'), json, { mode: 0o600 })
  const args = ['--root', dir, '--config', 'config', '--env', 'production', '--allow-no-auth', 'start']
  // Otherwise it asks its makers for a newer one.
  const env = { TEMPORAL_VERSION_CHECK_DISABLED: '1' }
  const running = await startDetached(dir, NAME, { command: server, args, env }, { port: frontendPort })
  const stop = () => stopProcess(running, [['SIGTERM', 15_000]])
  const address = `127.0.0.1:${frontendPort}`
  const deadline = Date.now() + PATIENCE_MS
  while (!(await serves(address, namespace))) {
    if (isAlive(running) && Date.now() < deadline) {
      await sleep(250)
      continue
    }
    await stop()
    throw new StartError(`The production-like Temporal does not run: ${logTail(dir, NAME, 0, 1).slice(0, 500)}`)
  }
  return { address, pid: running.pid, stop }
}

/** Ours is a namespace like any other: when it can be registered, Temporal can do the rest. */
async function serves(address: string, namespace: string): Promise<boolean> {
  const temporal = openTemporal(address, namespace)
  try {
    await temporal.client.withDeadline(Date.now() + 5000, () => ensureNamespace(temporal))
    return await temporal.reachable()
  } catch {
    return false
  } finally {
    await temporal.close()
  }
}

async function makeDatabases(sqlTool: string, postgresUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(postgresUrl)
  for (const [schema, database] of Object.entries(DATABASES)) {
    const env = {
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: hostname,
      SQL_PORT: port,
      SQL_USER: decodeURIComponent(username),
      SQL_PASSWORD: decodeURIComponent(password),
      SQL_DATABASE: database,
    }
    const run = (...args: string[]) => promisify(execFile)(sqlTool, args, { env })
    await run('create-database')
    await run('setup-schema', '-v', '0.0')
    await run('update-schema', '--schema-name', `postgresql/v12/${schema}`)
  }
}
