import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { pingWith, readSummary } from '../../activities/checks/ping.ts'
import { hasProgram } from '../../src/runtime/programs.ts'
import { until } from '../support/wait.ts'
import { soon } from './support/context.ts'

const dir = mkdtempSync(join(tmpdir(), 'upbeat-ping-'))
afterAll(() => rmSync(dir, { recursive: true }))

/** A replacement for the ping program of the system, which build machines do not have. */
function program(script: string): string {
  const path = join(dir, `ping${Math.random()}`)
  writeFileSync(path, `#!/bin/sh\nprintf '%s ' "$@" > '${join(dir, 'called')}'\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const summary = (sent: number, received: number, rtt = '') =>
  `cat <<'E'\n--- 1 ping statistics ---\n${sent} packets transmitted, ${received} received, 0% packet loss, time 9ms\n${rtt}\nE\n`
const rtt = 'rtt min/avg/max/mdev = 0.030/12.340/0.050/0.001 ms'

test('a ping with one received echo succeeds, and the packet loss is computed', async () => {
  const ping = pingWith(program(summary(4, 3, rtt)))
  expect(await ping({ host: 'localhost', count: 4 }, soon())).toEqual({
    ok: true,
    latency_ms: 12,
    packet_loss: 25,
    evidence: '3 of 4 echoes came back from localhost in 12.34 ms',
  })
  // The program gets the verified address, so that it resolves no name itself.
  expect(readFileSync(join(dir, 'called'), 'utf8').trim()).toBe('-n -c 4 -i 0.2 127.0.0.1')
  const none = await pingWith(program(`${summary(3, 0)}exit 1`))({ host: '127.0.0.1' }, soon())
  expect(none).toEqual({
    ok: false,
    latency_ms: null,
    packet_loss: 100,
    evidence: '0 of 3 echoes came back from 127.0.0.1',
  })
})

test('a host with only an IPv6 address is pinged over IPv6, and a host without an address fails', async () => {
  const ping = pingWith(program(summary(3, 3, rtt)))
  const only6 = soon({ look_up: async (_, family) => (family === 6 ? ['::1'] : []) })
  expect(await ping({ host: 'only6.example' }, only6)).toMatchObject({ ok: true })
  expect(readFileSync(join(dir, 'called'), 'utf8').trim()).toBe('-n -c 3 -i 0.2 ::1')
  rmSync(join(dir, 'called'))
  const none = await ping({ host: 'none.example' }, soon({ look_up: async () => [] }))
  expect(none).toEqual({
    ok: false,
    latency_ms: null,
    evidence: 'The name none.example has no record of this type',
  })
  expect(existsSync(join(dir, 'called'))).toBe(false)
})

test('a host without an answer gets a summary before the timeout, and a program that hangs is killed at the timeout', async () => {
  const silent = pingWith(
    program(`trap "${'echo 2 packets transmitted, 0 received'}; exit 1" INT; sleep 15 >/dev/null 2>&1 & wait`),
  )
  const outcome = await silent({ host: '127.0.0.1' }, soon({ timeout_ms: 4000 }))
  expect(outcome).toMatchObject({ ok: false, packet_loss: 100 })
  const hanging = pingWith(program(`echo $$ > '${join(dir, 'pid')}'; trap "" INT; while :; do sleep 0.1; done`))
  const { evidence } = await hanging({ host: '127.0.0.1' }, soon({ timeout_ms: 1500 }))
  expect(evidence).toBe('127.0.0.1 took longer than 1.5 s (waiting for echoes)')
  const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'))
  await until(
    () => isAlive(pid),
    (alive) => !alive,
  )
})

test('a missing or unprivileged ping program makes the check impossible with a clear reason', async () => {
  const missing = join(dir, 'missing')
  await expect(pingWith(missing)({ host: '127.0.0.1' }, soon())).rejects.toThrow(
    'There is no ping program on this machine',
  )
  expect(await hasProgram(missing)).toBe(false)
  expect(await hasProgram(program(''))).toBe(true)
  const forbidden = pingWith(program('echo "ping: socket: Operation not permitted" >&2; exit 2'))
  await expect(forbidden({ host: '127.0.0.1' }, soon())).rejects.toThrow('is not permitted to send echoes')
  const strange = await pingWith(program('echo "ping: connect: Network is unreachable" >&2; exit 2'))(
    { host: '10.0.0.1' },
    soon(),
  )
  expect(strange).toMatchObject({ ok: false, evidence: 'No route leads to 10.0.0.1 (unreachable)' })
})

test.each([
  [
    '3 packets transmitted, 3 received, 0% packet loss, time 2003ms\nrtt min/avg/max/mdev = 0.03/0.04/0.05/0.01 ms',
    3,
    3,
    0.04,
  ],
  ['5 packets transmitted, 0 received, +5 errors, 100% packet loss, time 4ms', 5, 0, null],
  [
    '3 packets transmitted, 2 packets received, 33% packet loss\nround-trip min/avg/max = 0.04/0.05/0.06 ms',
    3,
    2,
    0.05,
  ],
  [
    '2 packets transmitted, 2 packets received, 0.0% packet loss\nround-trip min/avg/max/stddev = 1.0/2.5/3.0/0.1 ms',
    2,
    2,
    2.5,
  ],
])('%s', (output, sent, received, average) => {
  expect(readSummary(output)).toEqual({ sent, received, average })
})
