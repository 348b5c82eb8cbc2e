import { afterEach, expect, test } from '@jest/globals'
import { createLogger } from '../../src/runtime/logger.ts'
import { keepWarm } from '../../src/web/warming/keep-warm.ts'
import { until } from '../support/wait.ts'

let running: ReturnType<typeof keepWarm>
afterEach(() => running.close())

function open(ask: (path: string) => number = () => 200) {
  const asked: string[] = []
  const listeners: ((pageId?: number) => void)[] = []
  running = keepWarm({
    findPages: async () => [1, 2],
    findPaths: async (pageId) => [`/${pageId}/a`, `/${pageId}/b`],
    ask: async (_pageId, path) => {
      asked.push(path)
      return ask(path)
    },
    watch: (listener) => void listeners.push(listener),
    logger: createLogger('silent', 'test'),
    settleMs: 10,
  })
  const reach = (count: number) =>
    until(
      () => asked.length,
      (length) => length >= count,
    )
  return { asked, reach, change: (pageId?: number) => listeners[0]!(pageId) }
}

test('all pages are read at the start, and a page again after its changes, together', async () => {
  const { asked, reach, change } = open()
  await reach(4)
  expect(asked).toEqual(['/1/a', '/1/b', '/2/a', '/2/b'])
  for (let n = 0; n < 5; n += 1) change(2)
  await reach(6)
  change()
  await reach(10)
  expect(asked.slice(4)).toEqual(['/2/a', '/2/b', '/1/a', '/1/b', '/2/a', '/2/b'])
})

test('a change of another page than the first ones is no reason to read it', async () => {
  const { asked, reach, change } = open()
  await reach(4)
  change(3)
  change(1)
  await reach(6)
  expect(asked.slice(4)).toEqual(['/1/a', '/1/b'])
})

test('a pass ends at the first answer that shows that the database is away', async () => {
  const { asked, reach, change } = open((path) => (path === '/1/a' ? 503 : 200))
  await reach(1)
  change(2)
  await reach(3)
  expect(asked.filter((path) => path === '/1/b')).toEqual([])
})
