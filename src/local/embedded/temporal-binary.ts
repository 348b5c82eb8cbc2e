import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { StartError } from './errors.ts'
import { failureOf } from './long-command.ts'
import { sdkDownload } from './sdk-download.ts'
import { cachedTool, type ToolOptions } from './tool-cache.ts'

const VERSION = 'v1.5.1'
const GO_PACKAGE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`

/** The `temporal` command line tool, which holds the server: on the PATH, in the cache, downloaded or built. */
export async function temporalBinary(options: ToolOptions): Promise<string> {
  return onPath() ?? cachedTool(options, `temporal-${VERSION}`, (temporary) => obtain(temporary, options))
}

async function obtain(temporary: string, { say, signal }: ToolOptions): Promise<string> {
  const download = await sdkDownload({ kind: 'dev-server', version: VERSION }, temporary, { say, signal })
  if ('file' in download) return download.file
  const failure = await buildFailure(temporary, { say, signal })
  signal?.throwIfAborted()
  const built = join(temporary, 'temporal')
  if (!failure && works(built)) return built
  throw new StartError(
    [
      'There is no Temporal server. Any of these helps:',
      '- set TEMPORAL_ADDRESS to a server of your own;',
      '- put the "temporal" command line tool on the PATH (https://docs.temporal.io/cli);',
      `- let this machine reach temporal.download (${download.failure});`,
      `- let Go build it: go install ${GO_PACKAGE} (${failure ?? 'what was built does not run'}).`,
    ].join('\n'),
  )
}

/** Undefined when Go has built it, else why not. */
async function buildFailure(
  temporary: string,
  { say, signal }: Pick<ToolOptions, 'say' | 'signal'>,
): Promise<string | undefined> {
  const looking = () => 'Looking for Go'
  const missing = await failureOf({ command: 'go', args: ['version'], progress: looking, say, signal })
  if (missing) return missing
  say(`Temporal cannot be downloaded from here: building ${GO_PACKAGE} with Go, once, in 2 to 6 minutes`)
  return failureOf({
    command: 'env',
    args: [`GOBIN=${temporary}`, 'go', 'install', '-v', GO_PACKAGE],
    progress: (seconds, lastLine) => `Building Temporal with Go: ${seconds} s of 2 to 6 minutes, now ${lastLine}`,
    say,
    signal,
  })
}

function onPath(): string | undefined {
  const found = spawnSync('/bin/sh', ['-c', 'command -v temporal'], { encoding: 'utf8' }).stdout.trim()
  return found && works(found) ? found : undefined
}

function works(binary: string): boolean {
  return spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 30_000 }).stdout?.includes('Server') ?? false
}
