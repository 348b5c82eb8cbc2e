/** The JSON messages of a stream of server-sent events, as they arrive. */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    rest += text
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop()!
    for (const event of events) {
      const message = messageOf(event)
      if (message !== '') yield JSON.parse(message)
    }
  }
}

/** Comments, which keep the connection alive, have no data. */
const messageOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n')
