import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from './errors.ts'
import { failureOf } from './long-command.ts'
import { sdkDownload } from './sdk-download.ts'
import { cachedTool, type ToolOptions } from './tool-cache.ts'

const VERSION = '1.31.0'
const EXECUTABLE = 'temporal-test-server'

/**
 * An executable for `TestWorkflowEnvironment.createTimeSkipping`: the download of the SDK (which has no build for ARM on
 * Linux), or else the same server from Maven, which needs Java.
 */
export async function timeSkippingServer(options: ToolOptions): Promise<string> {
  const home = await cachedTool(options, `${EXECUTABLE}-${VERSION}`, (temporary) => obtain(temporary, options))
  return join(home, EXECUTABLE)
}

async function obtain(temporary: string, { print, signal }: ToolOptions): Promise<string> {
  const home = join(temporary, 'home')
  mkdirSync(home)
  const download = await sdkDownload({ kind: 'time-skipping', version: `v${VERSION}` }, temporary, { print, signal })
  if ('file' in download) {
    renameSync(download.file, join(home, EXECUTABLE))
    return home
  }
  print('This machine cannot download the test server: getting it with Maven, usually in under a minute (only once)')
  const failure = await fromMaven(home, print)
  if (!failure) return home
  throw new StartError(
    [
      'There is no time-skipping test server. Each of these steps helps:',
      `- give this machine access to temporal.download (${download.failure});`,
      `- install Java and Maven, which get io.temporal:temporal-test-server:${VERSION} (${failure}).`,
    ].join('\n'),
  )
}

async function fromMaven(home: string, print: ToolOptions['print']): Promise<string | undefined> {
  const pom = join(home, 'pom.xml')
  writeFileSync(pom, POM)
  const failure = await failureOf({
    command: 'mvn',
    args: [
      ...['--batch-mode', '--quiet', '--file', pom, 'dependency:copy-dependencies'],
      ...['-DincludeScope=runtime', `-DoutputDirectory=${join(home, 'lib')}`],
    ],
    progress: (seconds) => `Getting the test server with Maven: ${seconds} s so far`,
    print,
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

// The SDK passes the port and perhaps a flag, waits 5 s for an answer, and kills this pid at the end.
const SCRIPT = `#!/bin/sh
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`
