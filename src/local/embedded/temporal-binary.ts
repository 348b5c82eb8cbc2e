import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { StartError } from './errors.ts'
import { failureOf } from './long-command.ts'
import { sdkDownload } from './sdk-download.ts'
import { cachedTool, type ToolOptions } from './tool-cache.ts'

const VERSION = 'v1.5.1'
const GO_PACKAGE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`

/** The `temporal` command line tool, which contains the server: from the PATH, the cache, a download or a build. */
export async function temporalBinary(options: ToolOptions): Promise<string> {
  return onPath() ?? cachedTool(options, `temporal-${VERSION}`, (temporary) => obtain(temporary, options))
}

async function obtain(temporary: string, { print, signal }: ToolOptions): Promise<string> {
  const download = await sdkDownload({ kind: 'dev-server', version: VERSION }, temporary, { print, signal })
  if ('file' in download) return download.file
  const failure = await buildFailure(temporary, { print, signal })
  signal?.throwIfAborted()
  const built = join(temporary, 'temporal')
  if (!failure && works(built)) return built
  throw new StartError(
    [
      'There is no Temporal server. Each of these steps helps:',
      '- set TEMPORAL_ADDRESS to your own server;',
      '- put the "temporal" command line tool on the PATH (https://docs.temporal.io/cli);',
      `- give this machine access to temporal.download (${download.failure});`,
      `- build the server with Go: go install ${GO_PACKAGE} (${failure ?? 'the built server does not run'}).`,
    ].join('\n'),
  )
}

/** Undefined if Go has built the server, else the reason. */
async function buildFailure(
  temporary: string,
  { print, signal }: Pick<ToolOptions, 'print' | 'signal'>,
): Promise<string | undefined> {
  const looking = () => 'Looking for Go'
  const missing = await failureOf({ command: 'go', args: ['version'], progress: looking, print, signal })
  if (missing) return missing
  print(
    `This machine cannot download Temporal: building ${GO_PACKAGE} with Go in 2 to 6 minutes (only at the first start)`,
  )
  return failureOf({
    command: 'env',
    args: [`GOBIN=${temporary}`, 'go', 'install', '-v', GO_PACKAGE],
    progress: (seconds, lastLine) => `Building Temporal with Go: ${seconds} s of 2 to 6 minutes, now ${lastLine}`,
    print,
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
