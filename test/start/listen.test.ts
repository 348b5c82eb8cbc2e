import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from '@jest/globals'
import { listen } from '../../src/runtime/listen.ts'

test('it answers what is under way, and waits for nothing else', async () => {
  const asked = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const server = await listen(
    async (request, response) => {
      if (request.url === '/slow') {
        asked.resolve()
        await slow.promise
      }
      response.end('answered')
    },
    { port: 0, host: '127.0.0.1' },
  )
  const url = `http://127.0.0.1:${server.port}`
  const silent = connect(server.port, '127.0.0.1').on('error', () => {})
  expect(await (await fetch(url)).text()).toBe('answered')
  const answer = fetch(`${url}/slow`).then((response) => response.text())
  await asked.promise
  const drained = server.drain()
  await once(silent, 'close')
  await expect(fetch(url)).rejects.toThrow()
  slow.resolve()
  expect(await answer).toBe('answered')
  await drained
})
