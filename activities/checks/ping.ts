import { spawn } from 'node:child_process'
import type { PingTarget } from '../../src/domain/beats/types/ping.ts'
import type { Attempt } from '../../src/outbound/connections/attempt.ts'
import { CheckImpossible, Failure } from '../../src/outbound/connections/failure.ts'
import { addressesOf } from '../../src/outbound/connections/guard.ts'
import { check } from './check.ts'
import type { Check } from './contract.ts'

const NO_PING = 'There is no ping program on this machine; install one (Debian: iputils-ping), or use a tcp beat'

/** The shortest interval that users without privileges may set. */
const SECONDS_BETWEEN = '0.2'
/** After SIGINT the program prints a summary. It has a quarter of the timeout for the summary, at most this long. */
const LONGEST_SUMMARY_MS = 500
const MAX_OUTPUT = 64 * 1024
/** English output, and no other variable of the worker's environment. */
const env = { PATH: process.env.PATH, LC_ALL: 'C' }

/** Succeeds if one echo comes back; the threshold rules look at the packet loss. Tests pass other programs. */
export const pingWith = (program: string): Check<PingTarget> =>
  check<PingTarget>(async ({ host, count = 3, ip_family }, attempt) => {
    const [address] = await addressesOf(host, undefined, ip_family, attempt)
    attempt.doing('waiting for echoes', host)
    const output = await run(program, ['-n', '-c', String(count), '-i', SECONDS_BETWEEN, address], attempt)
    const summary = readSummary(output)
    if (!summary) throw new Failure(refusal(output, host))
    const { sent, received, average } = summary
    const packet_loss = sent === 0 ? 100 : Math.round(100 - (100 * received) / sent)
    const evidence = `${received} of ${sent} echoes came back from ${host}${average === null ? '' : ` in ${average} ms`}`
    return { ok: received > 0, latency_ms: average === null ? null : Math.round(average), packet_loss, evidence }
  })

export const ping = pingWith('ping')

function run(program: string, args: string[], attempt: Attempt): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env })
  attempt.hold({ destroy: () => child.kill('SIGKILL') })
  const timer = setTimeout(() => child.kill('SIGINT'), attempt.left - Math.min(attempt.left / 4, LONGEST_SUMMARY_MS))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      if (output.length < MAX_OUTPUT) output += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', (problem: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      reject(problem.code === 'ENOENT' ? new CheckImpossible(NO_PING) : problem)
    })
    child.once('close', () => {
      clearTimeout(timer)
      resolve(output)
    })
  })
}

/** Reads the summary that iputils, BusyBox, macOS and the BSDs print. */
export function readSummary(output: string): { sent: number; received: number; average: number | null } | null {
  const counts = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output)
  if (!counts) return null
  const average = /(?:rtt|round-trip) min\/avg\/max(?:\/\S+)? = [\d.]+\/([\d.]+)\//.exec(output)?.[1]
  return { sent: Number(counts[1]), received: Number(counts[2]), average: average ? Number(average) : null }
}

function refusal(output: string, host: string): string {
  if (/not permitted|permission denied|lacking privilege|must be root/i.test(output)) {
    throw new CheckImpossible('The ping program of this machine is not permitted to send echoes')
  }
  if (/unreachable/i.test(output)) return `No route leads to ${host} (unreachable)`
  return `ping could not check ${host}: ${output.trim().split('\n').at(-1)}`
}
