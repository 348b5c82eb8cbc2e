import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { threadOptions, withoutTypes } from '../../src/runtime/without-types.ts'

const dir = mkdtempSync(join(tmpdir(), 'upbeat-without-types-'))
afterAll(() => rmSync(dir, { recursive: true }))

const plain = (text: string) => text.replace(/\s+/g, ' ')

test('a script without its types is stored once and read afterwards', () => {
  expect(plain(withoutTypes('const x: number = 1', dir))).toBe('const x = 1')
  const [file, ...others] = readdirSync(dir)
  expect(others).toEqual([])
  expect(plain(readFileSync(join(dir, file!), 'utf8'))).toBe('const x = 1')
  writeFileSync(join(dir, file!), 'stored')
  expect(withoutTypes('const x: number = 1', dir)).toBe('stored')
  expect(plain(withoutTypes('const x: number = 2', dir))).toBe('const x = 2')
})

test('types are removed all the same without a folder that takes files', () => {
  expect(plain(withoutTypes('const y: number = 1', join(dir, 'missing')))).toBe('const y = 1')
})

test('a thread gets the option that loads the stored code, and no other', () => {
  expect(threadOptions(['--max-semi-space-size=16', '--import', 'data:x', '--no-warnings'])).toEqual([
    '--import',
    'data:x',
  ])
  expect(threadOptions(['--max-semi-space-size=16'])).toEqual([])
})
