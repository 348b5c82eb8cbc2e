import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from '@jest/globals'
import { StartError } from '../../src/local/embedded/errors.ts'
import { holdDirectory, waitForDirectory } from '../../src/local/embedded/lock.ts'
import { temporaryDirectory } from './support.ts'

const source = pathToFileURL(join(import.meta.dirname, '../../src/local/embedded/lock.ts')).href
const children: ChildProcess[] = []
const dirs: string[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

describe('one process at a time has a directory', () => {
  test('a second holder in this process is refused, until the first lets go', () => {
    const dir = directory()
    const held = holdDirectory(dir)
    expect(() => holdDirectory(dir)).toThrow('Another Upbeat uses the directory')
    held.release()
    holdDirectory(dir).release()
  })

  test('a second process is refused while another lives, and not after kill -9', async () => {
    const dir = directory()
    const other = await otherProcess(dir)
    expect(other.answer).toBe('held')
    expect(() => holdDirectory(dir)).toThrow(StartError)
    other.child.kill('SIGKILL')
    await once(other.child, 'exit')
    const held = holdDirectory(dir)
    expect((await otherProcess(dir)).answer).toContain('Another Upbeat uses the directory')
    held.release()
  })

  test('waiting for a directory ends when it is free', async () => {
    const dir = directory()
    const held = holdDirectory(dir)
    let waits = 0
    const second = waitForDirectory(dir, () => {
      waits += 1
      setTimeout(() => held.release(), 300)
    })
    ;(await second).release()
    expect(waits).toBe(1)
  })

  test('no warning of an experiment is printed', async () => {
    expect((await otherProcess(directory())).printed).toBe('')
  })

  test('a directory that cannot be made is named, with the reason', () => {
    const file = join(directory(), 'a-file')
    writeFileSync(file, '')
    expect(() => holdDirectory(join(file, 'data'))).toThrow(/a-file\/data cannot be used: .*a-file is not a directory/)
  })
})

function directory(): string {
  const dir = temporaryDirectory()
  dirs.push(dir)
  return dir
}

async function otherProcess(dir: string): Promise<{ child: ChildProcess; answer: string; printed: string }> {
  const script = `
    import { holdDirectory } from ${JSON.stringify(source)}
    try { holdDirectory(${JSON.stringify(dir)}); console.log('held'); setInterval(() => {}, 1000) }
    catch (error) { console.log(error.message) }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env: {} })
  children.push(child)
  let printed = ''
  child.stderr.on('data', (chunk) => {
    printed += chunk
  })
  const [chunk] = await once(child.stdout, 'data')
  return { child, answer: String(chunk).trim(), printed }
}
