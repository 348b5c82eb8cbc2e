import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: FileReport[]
}
interface FileReport {
  name: string
  status: string
  startTime: number
  endTime: number
  assertionResults: { status: string }[]
}

/** Runs jest, and prints the slowest files, then the counts alone on the last line, however jest ends. */
const scratch = await mkdtemp(join(tmpdir(), 'upbeat-jest-'))
const path = join(scratch, 'report.json')
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url))
const child = spawn(process.execPath, [jest, '--json', `--outputFile=${path}`, ...process.argv.slice(2)], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
const [code] = await once(child, 'exit')
const report: Report | undefined = await readFile(path, 'utf8').then(JSON.parse, () => undefined)
await rm(scratch, { recursive: true, force: true })
// A run that ended badly has at least one failure, even without a report or with a report of passed tests alone.
const failed = Math.max(report ? failuresOf(report) : 0, code === 0 ? 0 : 1)
for (const line of slowest(report?.testResults ?? [])) console.log(line)
console.log(`${report?.numPassedTests ?? 0} passed, ${failed} failed`)
process.exit(code || Number(failed > 0))

/** A file that failed without a failed test, because it could not be loaded for instance, counts as one. */
function failuresOf({ numFailedTests, testResults }: Report): number {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  return numFailedTests + broken.length
}

/** What to look at when the tests take too long. */
function slowest(files: FileReport[]): string[] {
  return files
    .map(({ name, startTime, endTime }) => ({
      name: relative(process.cwd(), name),
      seconds: (endTime - startTime) / 1000,
    }))
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${name}`)
}
