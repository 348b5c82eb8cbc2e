import { connect, type Socket } from 'node:net'

/** A client in a process of its own that holds many streams of changes. */
export type StreamQuestion =
  | { open: number; port: number; path: string }
  /** How long after `since` each stream got an event with another version than `before`; waits for all of them. */
  | { since: number; before: string; longestMs: number }
  | { versions: true }

export interface StreamAnswer {
  opened?: number
  /** Milliseconds of each stream; a missing stream never got the event. */
  times?: number[]
  versions?: [version: string, streams: number][]
}

interface Stream {
  socket: Socket
  version: string
  at: number
}

const AT_ONCE = 200
const streams: Stream[] = []
const now = () => performance.timeOrigin + performance.now()

function openStream(port: number, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`
  const socket = connect(port, '127.0.0.1', () => socket.write(head))
  const stream: Stream = { socket, version: '', at: 0 }
  let rest = ''
  socket.setEncoding('latin1')
  socket.once('error', reject)
  socket.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      const [, version] = /^id: (.*?)\r?$/.exec(line) ?? []
      if (version === undefined) continue
      if (stream.version === '') resolve()
      Object.assign(stream, { version, at: now() })
    }
  })
  streams.push(stream)
  return promise
}

async function openAll(count: number, port: number, path: string): Promise<StreamAnswer> {
  for (let opened = 0; opened < count; opened += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - opened) }, () => openStream(port, path)))
  }
  return { opened: streams.length }
}

async function timesSince(since: number, before: string, longestMs: number): Promise<StreamAnswer> {
  const missing = () => streams.some(({ version }) => version === before)
  for (const until = now() + longestMs; missing() && now() < until; ) await new Promise((next) => setTimeout(next, 1))
  return { times: streams.filter(({ version }) => version !== before).map(({ at }) => Math.max(0, at - since)) }
}

function versions(): StreamAnswer {
  const counts = Map.groupBy(streams, ({ version }) => version)
  return { versions: [...counts].map(([version, { length }]) => [version, length]) }
}

function answer(question: StreamQuestion): StreamAnswer | Promise<StreamAnswer> {
  if ('open' in question) return openAll(question.open, question.port, question.path)
  if ('since' in question) return timesSince(question.since, question.before, question.longestMs)
  return versions()
}

process.on('message', async (question: StreamQuestion) => process.send?.(await answer(question)))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: {} })
