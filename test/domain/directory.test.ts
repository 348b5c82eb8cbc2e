import { expect, test } from '@jest/globals'
import { openDirectory } from '../../src/domain/pages/directory.ts'
import type { Orm } from '../../src/persistence/orm.ts'

/** A directory whose reads of the database end when the test says so. */
function slowDirectory(patienceMs?: number) {
  const reads: ((visibility: 'public' | 'private') => void)[] = []
  const executeQuery = () =>
    new Promise((resolve) => {
      reads.push((visibility) => resolve({ rows: [{ id: 1, visibility, custom_domains: [], former_slugs: [] }] }))
    })
  const system = { em: { getKysely: () => ({ executeQuery }) } } as unknown as Orm
  const directory = openDirectory(system, undefined, {}, patienceMs)
  return { directory, reads, visibility: async () => (await directory.byId(1))?.visibility }
}

test('a read that began before a change is of no use after the change', async () => {
  const { directory, reads, visibility } = slowDirectory()
  const before = visibility()
  directory.forget()
  const after = visibility()
  expect(reads).toHaveLength(2)
  reads[1]!('private')
  expect(await after).toBe('private')
  reads[0]!('public')
  await before
  expect(await visibility()).toBe('private')
})

test('the pages are read once for all requests of a moment', async () => {
  const { reads, visibility } = slowDirectory()
  const both = [visibility(), visibility()]
  reads[0]!('public')
  expect(await Promise.all(both)).toEqual(['public', 'public'])
  expect(await visibility()).toBe('public')
  expect(reads).toHaveLength(1)
})

test('after a request that waited in vain for a read, no other request waits for this read', async () => {
  const { directory, reads, visibility } = slowDirectory(1)
  const first = visibility()
  reads[0]!('public')
  await first
  directory.forget()
  expect(await visibility()).toBe('public')
  const settled = await Promise.race([visibility(), new Promise((resolve) => setImmediate(resolve, 'waits'))])
  expect([settled, reads.length]).toEqual(['public', 2])
  reads[1]!('private')
  await new Promise(setImmediate)
  expect(await visibility()).toBe('private')
})

test('the page of a token is found at once, also if it was created after the last read', async () => {
  const { directory, reads, visibility } = slowDirectory()
  const known = visibility()
  reads[0]!('public')
  await known
  expect((await directory.ofHost('status.example', 1))?.page.id).toBe(1)
  expect(reads).toHaveLength(1)
  const found = directory.ofHost('status.example', 2)
  await new Promise(setImmediate)
  expect(reads).toHaveLength(2)
  reads[1]!('public')
  await found
})
