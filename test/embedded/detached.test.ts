import { readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from '@jest/globals'
import { adopt, lastRecorded, logTail, record, startDetached } from '../../src/local/embedded/detached.ts'
import { StartError } from '../../src/local/embedded/errors.ts'
import { freePorts } from '../../src/local/embedded/ports.ts'
import { isAlive, processesWith, stopProcess } from '../../src/local/embedded/processes.ts'
import { kill, killGroup, temporaryDirectory } from './support.ts'

const dir = temporaryDirectory()
const pids: number[] = []

afterAll(() => {
  for (const pid of pids) killGroup(pid)
  rmSync(dir, { recursive: true, force: true })
})

describe('a detached process', () => {
  test('has a group of its own, is found again and can be stopped', async () => {
    const started = await shell('found', 'sleep 60')
    expect(() => process.kill(-started.pid, 0)).not.toThrow()
    expect(adopt(dir, 'found')).toEqual(started)
    await stopProcess(started, [['SIGTERM', 5000]])
    expect(adopt(dir, 'found')).toBeUndefined()
    expect(lastRecorded(dir, 'found')).toMatchObject({ port: 1, colour: 'green' })
  })

  test('is killed when it does not heed the signal', async () => {
    const started = await shell('stubborn', 'trap "" TERM; echo ready; while :; do sleep 0.1; done')
    while (!logTail(dir, 'stubborn')) await sleep(20)
    await stopProcess(started, [['SIGTERM', 200]])
    expect(isAlive(started)).toBe(false)
  })

  test('is not mistaken for another that has its pid now', async () => {
    const started = await shell('reused', 'sleep 60')
    record(dir, 'reused', { ...started, started: 'at another time' })
    expect(adopt(dir, 'reused')).toBeUndefined()
    await stopProcess({ pid: started.pid, started: 'at another time' }, [['SIGTERM', 100]])
    expect(isAlive(started)).toBe(true)
  })

  test('leaves a pid file after kill -9 that the next one replaces', async () => {
    const first = await shell('killed', 'sleep 60')
    kill(first.pid)
    while (isAlive(first)) await sleep(20)
    expect(adopt(dir, 'killed')).toBeUndefined()
    const second = await shell('killed', 'sleep 60')
    expect(adopt(dir, 'killed')?.pid).toBe(second.pid)
  })

  test('is found by its command line when no pid was written down', async () => {
    const started = await shell('unwritten', 'sleep 60; : unwritten-marker')
    expect(processesWith('unwritten-marker')).toContainEqual({ pid: started.pid, started: started.started })
  })

  test('writes to its log', async () => {
    const started = await shell('talking', 'echo one; echo two >&2')
    while (isAlive(started)) await sleep(20)
    expect(logTail(dir, 'talking')).toBe('one\ntwo')
    expect(logTail(dir, 'talking', 4)).toBe('two')
    expect(readFileSync(join(dir, 'talking.json'), 'utf8')).toContain('"port":1')
  })

  test('a command that does not exist fails with one sentence', async () => {
    const starting = startDetached(dir, 'missing', { command: '/no/such/command', args: [] }, { port: 1 })
    await expect(starting).rejects.toThrow(StartError)
  })
})

describe('free ports', () => {
  test('are the wished ones where those are free, and never the same twice', async () => {
    const [first] = await freePorts([undefined])
    const ports = await freePorts([first, first, undefined])
    expect(ports[0]).toBe(first)
    expect(new Set(ports).size).toBe(3)
  })

  test('avoid one that is taken', async () => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    expect(await freePorts([port])).not.toContain(port)
    server.close()
  })
})

async function shell(name: string, script: string) {
  const started = await startDetached(
    dir,
    name,
    { command: '/bin/sh', args: ['-c', script] },
    { port: 1, colour: 'green' },
  )
  pids.push(started.pid)
  return started
}
