import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'

const fixture = new URL('./fixtures/watched.ts', import.meta.url)

async function begin(CHILD: string, execArgv: string[] = []) {
  const child = fork(fixture, { env: { ...process.env, CHILD }, execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr!.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => signal ?? code)
  await once(child, 'message')
  return { child, ended, said: () => said }
}

test('a process whose event loop hangs is ended, and logs the reason', async () => {
  const { ended, said } = await begin('hangs')
  expect(await ended).toBe('SIGKILL')
  expect(JSON.parse(said())).toMatchObject({ level: 60, msg: expect.stringContaining('hung for more than 1.5 s') })
})

test('a process that was frozen is ended', async () => {
  const { child, ended, said } = await begin('is frozen')
  const end = ended.then(() => 'ended')
  // Each time longer than the patience of the watchdog; on a busy machine the first may come before the watchdog runs.
  do {
    child.kill('SIGSTOP')
    await sleep(2000)
    child.kill('SIGCONT')
  } while ((await Promise.race([end, sleep(1000, 'goes on')])) === 'goes on')
  expect(await ended).toBe('SIGKILL')
  expect(said()).toMatch(/was frozen|has hung/)
})

test('a process that was busy for a moment continues', async () => {
  const { ended, said } = await begin('pauses')
  expect(await ended).toBe(0)
  expect(said()).toBe('')
})

test('the watchdog keeps no process alive', async () => {
  const { ended } = await begin('ends')
  expect(await ended).toBe(0)
})

test('a debugger may stop a process for any time', async () => {
  const { ended } = await begin('hangs for a while', ['--inspect=127.0.0.1:0'])
  expect(await ended).toBe(0)
})
