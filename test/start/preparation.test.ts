import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from '@jest/globals'
import { openPreparation, type Preparation } from '../../src/local/preparation.ts'

const dir = mkdtempSync(join(tmpdir(), 'upbeat-preparation-'))
let opened: Preparation
afterEach(() => opened.stop())
afterAll(() => rmSync(dir, { recursive: true }))

function open(name: string, retries: boolean) {
  const said: string[] = []
  const notes = join(dir, name)
  const env = { ...process.env, NOTES: notes }
  const file = new URL('./fixtures/preparing.ts', import.meta.url)
  opened = openPreparation({ file, env, print: (text) => void said.push(text), retries: () => retries })
  const run = (input: string): Promise<unknown> => opened.run('database', () => input as never)
  return { run, said, lives: () => readFileSync(notes, 'utf8').trim().split('\n').length }
}

test('a task is done again when the preparing process dies before it answers', async () => {
  const { run, said } = open('dying', false)
  expect(await run('dies once')).toBe('dies once: 2')
  expect(said).toEqual(['The preparing process has ended. The next attempt is in 1 s.'])
})

test('a failure that may pass by itself is tried again', async () => {
  const { run, said } = open('failing', true)
  expect(await run('fails once')).toBe('fails once: 2')
  expect(said).toEqual(['Not yet. The next attempt is in 1 s.'])
})

test.each([
  ['refuses', true, 'Never.'],
  ['fails once', false, 'Not yet.'],
])('a task that %s, with retries %s, ends with its sentence', async (input, retries, sentence) => {
  const { run, said, lives } = open(`ending-${input}`, retries)
  await expect(run(input)).rejects.toThrow(sentence)
  expect({ said, lives: lives() }).toEqual({ said: [], lives: 1 })
})

test('tasks at the same time get their own answers', async () => {
  const { run } = open('several', false)
  expect(await Promise.all([run('one'), run('two'), run('three')])).toEqual(['one: 1', 'two: 2', 'three: 3'])
})
