import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { cachedTool } from '../../src/local/embedded/tool-cache.ts'
import { messages, temporaryDirectory } from './support.ts'

let cacheDir = ''
beforeEach(() => {
  cacheDir = temporaryDirectory()
})
afterEach(() => rmSync(cacheDir, { recursive: true, force: true }))

describe('a tool in the cache', () => {
  test('is made once, however many ask at the same time', async () => {
    const { print, said } = messages()
    let made = 0
    const ask = () =>
      cachedTool({ cacheDir, print }, 'tool', async (temporary) => {
        made += 1
        await sleep(50)
        return write(temporary)
      })
    const paths = await Promise.all([ask(), ask()])
    expect(paths).toEqual([join(cacheDir, 'bin/tool'), join(cacheDir, 'bin/tool')])
    expect(made).toBe(1)
    expect(said).toHaveLength(1)
  })

  test('leaves nothing behind when making it fails or was interrupted', async () => {
    const { print } = messages()
    mkdirSync(join(cacheDir, 'bin/making-half'), { recursive: true })
    const failing = cachedTool({ cacheDir, print }, 'tool', async (temporary) => {
      write(temporary)
      throw new Error('no network')
    })
    await expect(failing).rejects.toThrow('no network')
    expect(readdirSync(join(cacheDir, 'bin'))).toEqual(['lock.db'])
  })
})

function write(temporary: string): string {
  const path = join(temporary, 'tool')
  writeFileSync(path, '')
  return path
}
