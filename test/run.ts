import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Runs jest, and says on the last line alone how it ended. */
const scratch = await mkdtemp(join(tmpdir(), 'upbeat-jest-'))
const report = join(scratch, 'report.json')
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url))
const child = spawn(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    jest,
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
)
const [code] = await once(child, 'exit')
const { numPassedTests = 0, numFailedTests = 0 } = await readFile(report, 'utf8').then(JSON.parse, () => ({}))
await rm(scratch, { recursive: true, force: true })
console.log(`${numPassedTests} passed, ${numFailedTests} failed`)
process.exit(code ?? 1)
