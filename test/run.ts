import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/** Runs jest, and prints the counts alone on the last line, however jest ends. */
const scratch = await mkdtemp(join(tmpdir(), 'upbeat-jest-'))
const path = join(scratch, 'report.json')
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url))
const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jest,
    '--json',
    `--outputFile=${path}`,
    ...process.argv.slice(2),
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
)
const [code] = await once(child, 'exit')
const report: Report | undefined = await readFile(path, 'utf8').then(JSON.parse, () => undefined)
await rm(scratch, { recursive: true, force: true })
// A run that ended badly has at least one failure, even without a report or with a report of passed tests alone.
const failed = Math.max(report ? failuresOf(report) : 0, code === 0 ? 0 : 1)
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
