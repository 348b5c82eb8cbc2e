import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { serviceAt } from '../support/frozen-service.ts'
import { insertHeartbeat, stagesOf, storedBeat, transitionsOf } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

let service: TestService
const anyone = () => service.as(undefined)
const start = new Date('2026-03-01T10:00:00Z')
serviceAt(start, (made) => {
  service = made
})

const pass = (ms: number) => {
  service.now = new Date(service.now.getTime() + ms)
}
const call = async (path: string, body?: string, headers?: Record<string, string>) =>
  expect((await anyone().request('POST', path, body, headers)).status).toBe(200)

test('a failure with an exit code or a text makes the beat critical at once, and the next success ends the failure', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  await call(path)
  pass(1000)
  await call(`${path}/3`, 'disk\nfull')
  pass(1000)
  await call(`${path}/fail`, 'x'.repeat(10_001))
  pass(1000)
  await call(path, 'fine')
  pass(1000)
  await call(`${path}/fail`, '{"why": "no"}', { 'Content-Type': 'application/json' })
  expect((await transitionsOf(service, id)).map(({ to_stage, at, evidence }) => [to_stage, at, evidence])).toEqual([
    ['healthy', new Date('2026-03-01T10:00:00Z'), 'A call reported success.'],
    ['critical', new Date('2026-03-01T10:00:01Z'), 'A call reported exit code 3: disk full'],
    ['healthy', new Date('2026-03-01T10:00:03Z'), 'A call reported success.'],
    ['critical', new Date('2026-03-01T10:00:04Z'), 'A call reported a failed run: {"why": "no"}'],
  ])
  expect(await storedBeat(service, id)).toMatchObject({ current_stage: 'critical', transition_number: 4 })
})

test('the evidence has the beginning of a long text, and a text without its colours', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  // The last character is incomplete.
  for (const text of [
    `disk full ${'x'.repeat(12_000)}`,
    `${'é'.repeat(4)}x${'é'.repeat(6000)}`,
    '\u001b[31mdisk full\u001b[0m',
  ]) {
    await call(path)
    pass(1000)
    await call(`${path}/fail`, text)
    pass(1000)
  }
  const course = (await transitionsOf(service, id))
    .map(({ evidence }) => evidence)
    .filter((one) => one !== 'A call reported success.')
  expect(course).toEqual([
    `A call reported a failed run: disk full ${'x'.repeat(290)}…`,
    `A call reported a failed run: ${'é'.repeat(4)}x${'é'.repeat(295)}…`,
    'A call reported a failed run: disk full',
  ])
})

test('a call with a long body is taken, and the next call on the same connection, too', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  for (const behind of ['', '', '/fail', '']) await call(path + behind, 'x'.repeat(900_000))
  expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical', 'critical -> healthy'])
})

test('a call does not wait for the end of an endless body', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 60 })
  for (const [behind, length] of [
    ['/fail', 100],
    ['', 100],
    ['/fail', 10_000_000],
  ] as const) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.write(`POST /api/v1${path}${behind} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\nsaid`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
  }
  const course = (await transitionsOf(service, id)).map(({ evidence }) => evidence)
  const failed = 'A call reported a failed run: said'
  expect(course).toEqual([failed, 'A call reported success.', failed])
})
