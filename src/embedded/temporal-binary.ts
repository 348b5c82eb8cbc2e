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
  say('That does not work from here: building the Temporal server with Go, once, usually 2 to 3 minutes')
  const progress = (seconds: number) =>
    `Building the Temporal server with Go, once: ${seconds} s so far, usually 2 to 3 minutes`
  const failure =
    (await failureOf({ command: 'go', args: ['version'], progress, say, signal })) ??
    (await failureOf({
      command: 'env',
      args: [`GOBIN=${temporary}`, 'go', 'install', GO_PACKAGE],
      progress,
      say,
      signal,
    }))
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

function onPath(): string | undefined {
  const found = spawnSync('/bin/sh', ['-c', 'command -v temporal'], { encoding: 'utf8' }).stdout.trim()
  return found && works(found) ? found : undefined
}

function works(binary: string): boolean {
  return spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 30_000 }).stdout?.includes('Server') ?? false
}
