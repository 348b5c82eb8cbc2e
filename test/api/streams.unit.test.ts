import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, expect, test } from '@jest/globals'
import { createLogger } from '../../src/runtime/logger.ts'
import { type ChangeStreams, openChangeStreams } from '../../src/web/streams/streams.ts'
import { until } from '../support/wait.ts'

let streams: ChangeStreams
afterEach(async () => {
  await streams.close()
  await until(
    () => streams.count,
    (count) => count === 0,
  )
})

const readable = {
  ...{ id: 1, visibility: 'public' as const, viewer_auth_mode: 'none' as const, viewer_session_key: '' },
  access_links: [],
}

/** A page whose version is a number, and its streams. */
function page({ inAll = 1000, tickMs = 1000, padding = '' } = {}) {
  let version = 0
  let reads = 0
  let isAway = false
  let mayRead = true
  const listeners: ((pageId?: number) => void)[] = []
  const logger = createLogger('silent', 'test')
  const limits = { perAddress: 1000, inAll }
  streams = openChangeStreams({ logger, limits, watch: (listener) => listeners.push(listener), tickMs })
  const readContents = async () => {
    reads += 1
    if (isAway) throw new Error('the database is away')
    return { version: `${version}${padding}`, revision: `r${version}`, readable }
  }
  return {
    open({ reading = true, known = '', shown = '' } = {}) {
      const pipe = new PassThrough()
      const stream = { text: '', response: pipe }
      const request = { pageId: 1, address: '192.0.2.1', mayRead: () => mayRead, readContents }
      streams.open(
        { ...request, ...(known ? { known } : {}), ...(shown ? { shown } : {}) },
        pipe as unknown as ServerResponse,
      )
      if (reading) pipe.on('data', (chunk) => Object.assign(stream, { text: stream.text + String(chunk) }))
      return stream
    },
    change(pageId?: number) {
      version += 1
      for (const listener of listeners) listener(pageId)
    },
    refuse() {
      mayRead = false
    },
    goAway(away: boolean) {
      isAway = away
    },
    get version() {
      return version
    },
    get reads() {
      return reads
    },
  }
}

const has = (stream: { text: string }, text: string) =>
  until(
    () => stream.text,
    (all) => all.includes(text),
  )

test('each change costs one read for all streams of the page, and many changes at once two', async () => {
  const here = page()
  const all = Array.from({ length: 100 }, () => here.open())
  for (const stream of all) await has(stream, 'id: 0')
  expect(here.reads).toBeLessThanOrEqual(2)
  const before = here.reads
  for (let n = 0; n < 50; n += 1) here.change(1)
  for (const stream of all) await has(stream, 'id: 50')
  expect(here.reads - before).toBeLessThanOrEqual(2)
  here.change(2)
  const again = here.open({ known: '49' })
  await has(again, 'event: change')
  expect(here.reads - before).toBeLessThanOrEqual(2)
})

test('a reader whose page has another revision learns at once that it changed', async () => {
  const here = page()
  const [current, outdated] = [here.open({ shown: 'r0' }), here.open({ shown: 'older' })]
  await has(outdated, 'event: change')
  await has(current, 'id: 0')
  expect(current.text).not.toContain('event: change')
  const late = here.open({ shown: 'older' })
  await has(late, 'event: change')
})

test('a reader that does not read is dropped, and the others go on', async () => {
  const here = page({ padding: `.${'x'.repeat(3000)}` })
  const [slow, quick] = [here.open({ reading: false }), here.open()]
  while (!slow.response.destroyed) {
    here.change()
    await has(quick, `id: ${here.version}.`)
  }
  expect(quick.response.destroyed).toBe(false)
  await until(
    () => streams.count,
    (count) => count === 1,
  )
})

test('a comment comes in one of twenty ticks, and a read that failed is tried again at the next tick', async () => {
  const here = page({ tickMs: 5 })
  const stream = here.open()
  await has(stream, '\n:\n\n')
  here.goAway(true)
  here.change()
  const failed = here.reads
  await until(
    () => here.reads,
    (reads) => reads > failed + 2,
  )
  here.goAway(false)
  await has(stream, 'id: 1')
})

test('a stream ends with the session of its reader, without a change of the page', async () => {
  const here = page({ tickMs: 5 })
  const stream = here.open()
  await has(stream, 'id: 0')
  here.refuse()
  await until(
    () => stream.response.writableEnded,
    (isEnded) => isEnded,
  )
})

test('a stream that begins while the database is away gets its version later', async () => {
  const here = page({ tickMs: 5 })
  here.goAway(true)
  const stream = here.open()
  await has(stream, 'retry: 5000')
  here.goAway(false)
  await has(stream, 'id: 0')
})

test('above the limit of all streams, a stream is refused', () => {
  const here = page({ inAll: 2 })
  here.open()
  here.open()
  expect(() => here.open()).toThrow('2 streams are open already: try again later.')
})
