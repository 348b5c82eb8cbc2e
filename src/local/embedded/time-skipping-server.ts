import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './errors.ts'
import { failureOf } from './long-command.ts'
import { sdkDownload } from './sdk-download.ts'
import { cachedTool, type ToolOptions } from './tool-cache.ts'

const VERSION = '1.31.0'
const EXECUTABLE = 'temporal-test-server'

/**
 * An executable for `TestWorkflowEnvironment.createTimeSkipping`, always: the SDK's own download where that works
 * (it has no build for ARM on Linux), else the same server from Maven, which needs Java where it runs.
 */
export async function timeSkippingServer(options: ToolOptions): Promise<string> {
  const home = await cachedTool(options, `${EXECUTABLE}-${VERSION}`, (temporary) => obtain(temporary, options))
  return join(home, EXECUTABLE)
}

async function obtain(temporary: string, { say, signal }: ToolOptions): Promise<string> {
  const home = join(temporary, 'home')
  mkdirSync(home)
  const download = await sdkDownload({ kind: 'time-skipping', version: `v${VERSION}` }, temporary, { say, signal })
  if ('file' in download) {
    renameSync(download.file, join(home, EXECUTABLE))
    return home
  }
  say('That does not work from here: getting it with Maven, once, usually under a minute')
  const failure = await fromMaven(home, say)
  if (!failure) return home
  throw new StartError(
    [
      'There is no time-skipping test server. Either of these helps:',
      `- let this machine reach temporal.download (${download.failure});`,
      `- install Java and Maven, which bring io.temporal:temporal-test-server:${VERSION} (${failure}).`,
    ].join('\n'),
  )
}

async function fromMaven(home: string, say: ToolOptions['say']): Promise<string | undefined> {
  const pom = join(home, 'pom.xml')
  writeFileSync(pom, POM)
  const failure = await failureOf({
    command: 'mvn',
    args: [
      ...['--batch-mode', '--quiet', '--file', pom, 'dependency:copy-dependencies'],
      ...['-DincludeScope=runtime', `-DoutputDirectory=${join(home, 'lib')}`],
    ],
    progress: (seconds) => `Getting the test server with Maven: ${seconds} s so far`,
    say,
  })
  writeFileSync(join(home, EXECUTABLE), SCRIPT)
  chmodSync(join(home, EXECUTABLE), 0o755)
  rmSync(join(home, 'target'), { recursive: true, force: true })
  return failure
}

const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>upbeat</groupId>
  <artifactId>${EXECUTABLE}</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`

// The SDK gives the port and perhaps a flag, waits 5 s for an answer, and kills this very pid at the end.
const SCRIPT = `#!/bin/sh
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`
