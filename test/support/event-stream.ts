export interface ServerEvent {
  id?: string
  event?: string
  data?: { version: string; sections: string[] }
  retry?: string
  comment?: boolean
}

/** Reads a stream of server-sent events, block by block. */
export async function openEventStream(url: string, headers: Record<string, string> = {}) {
  const ending = new AbortController()
  const response = await fetch(url, { headers, signal: ending.signal, redirect: 'manual' })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''

  /** The next block, or undefined at the end of the stream. */
  async function next(): Promise<ServerEvent | undefined> {
    while (!text.includes('\n\n')) {
      const { value, done } = await reader!.read()
      if (done) return undefined
      text += value
    }
    const end = text.indexOf('\n\n')
    const block = text.slice(0, end)
    text = text.slice(end + 2)
    return parse(block)
  }

  /** The next event `change`. */
  async function nextChange(): Promise<ServerEvent> {
    for (;;) {
      const event = await next()
      if (!event) throw new Error('the stream ended')
      if (event.event === 'change') return event
    }
  }

  /** The version that the stream begins with. */
  async function nextVersion(): Promise<string> {
    for (;;) {
      const event = await next()
      if (!event) throw new Error('the stream ended')
      if (event.id !== undefined) return event.id
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    next,
    nextChange,
    nextVersion,
    close: () => ending.abort(),
  }
}

function parse(block: string): ServerEvent {
  const event: Record<string, unknown> = {}
  for (const line of block.split('\n')) {
    const [name = '', value] = line.split(/: ?(.*)/)
    if (name === '') event.comment = true
    else event[name] = name === 'data' ? JSON.parse(value!) : value
  }
  return event
}
