import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { openFixture } from './fixture.ts'

/** Every version of the protocol whose required server scenarios the service is tested with. */
export const versions = ['2025-11-25', '2026-07-28'] as const

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js')
const expectedFailures = (version: string) =>
  fileURLToPath(new URL(`expected-failures.${version}.yaml`, import.meta.url))

export interface Report {
  passed: boolean
  /** One line for each scenario, and the totals. */
  summary: string
  output: string
}

/** Runs the published server scenarios of a version against the endpoint of the service. */
export async function runSuite(version: string): Promise<Report> {
  const fixture = await openFixture()
  try {
    const expected = existsSync(expectedFailures(version)) ? ['--expected-failures', expectedFailures(version)] : []
    const options = ['--url', fixture.url, '--requirements', version, ...expected]
    const child = spawn(process.execPath, [program, 'server', ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    const code = await new Promise((resolve) => child.on('close', resolve))
    const output = Buffer.concat(chunks).toString()
    return { passed: code === 0, summary: output.slice(output.indexOf('=== SUMMARY ===')), output }
  } finally {
    await fixture.close()
  }
}
