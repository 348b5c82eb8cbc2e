import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { StartError } from '../../src/local/embedded/errors.ts'
import { failureOf } from '../../src/local/embedded/long-command.ts'
import { cachedTool, type ToolOptions } from '../../src/local/embedded/tool-cache.ts'

export const TEMPORAL_VERSION = 'v1.29.1'
const MODULE = 'go.temporal.io/server'

/** The server as it runs in production, and the tool that sets up its databases, with the schema inside. */
export async function temporalTools(options: ToolOptions): Promise<{ server: string; sqlTool: string }> {
  return {
    server: await built(options, 'temporal-server', 'cmd/server'),
    sqlTool: await built(options, 'temporal-sql-tool', 'cmd/tools/sql'),
  }
}

function built(options: ToolOptions, name: string, path: string): Promise<string> {
  const source = `${MODULE}/${path}@${TEMPORAL_VERSION}`
  return cachedTool(options, `${name}-${TEMPORAL_VERSION}`, async (temporary) => {
    if (spawnSync('go', ['version']).status !== 0) {
      throw new StartError(
        `The benchmarks run against a production-like Temporal, which Go builds from source: install Go, or put ${source} into the cache as bin/${name}-${TEMPORAL_VERSION}.`,
      )
    }
    const progress = (seconds: number) => `Building ${name} with Go, once: ${seconds} s so far, usually 1 to 2 minutes`
    options.print(progress(0))
    const args = [`GOBIN=${temporary}`, 'go', 'install', source]
    const failure = await failureOf({ command: 'env', args, progress, print: options.print })
    if (failure) throw new StartError(`Go could not build ${source}: ${failure}`)
    return join(temporary, path.slice(path.lastIndexOf('/') + 1))
  })
}
