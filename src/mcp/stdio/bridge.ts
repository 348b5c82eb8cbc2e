import { errorAnswer, headersOf, type Message } from './messages.ts'
import { messagesIn } from './server-sent-events.ts'

export interface BridgeOptions {
  /** The address of the service. */
  url: string
  token: string
  /** Writes one message to the client. */
  write(message: unknown): void
  /** Writes a line for the person who reads the log of the client. */
  log(line: string): void
}

const PARSE_ERROR = -32700

/** Forwards the messages of a client on stdio to the service, and its answers back. Keeps nothing but open requests. */
export function openBridge({ url, token, write, log }: BridgeOptions) {
  const endpoint = new URL('/mcp', url)
  const open = new Map<string | number, AbortController>()
  const running = new Set<Promise<void>>()
  let legacyVersion: string | undefined

  async function forward(message: Message): Promise<void> {
    const { id, method } = message
    const cancelled = method === 'notifications/cancelled' ? message.params?.requestId : undefined
    if (cancelled !== undefined) open.get(cancelled as string | number)?.abort()
    const controller = new AbortController()
    if (id !== undefined) open.set(id, controller)
    try {
      await send(message, controller.signal)
    } catch (error) {
      if (controller.signal.aborted) return
      const cause = error instanceof Error ? (error.cause ?? error) : error
      fail(message, `The service at ${endpoint.origin} does not answer: ${cause}`)
    } finally {
      if (id !== undefined) open.delete(id)
    }
  }

  async function send(message: Message, signal: AbortSignal): Promise<void> {
    const headers = { ...headersOf(message, legacyVersion), Authorization: `Bearer ${token}` }
    const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(message), signal })
    const type = response.headers.get('Content-Type') ?? ''
    if (response.body && type.startsWith('text/event-stream')) {
      for await (const answer of messagesIn(response.body)) write(answer)
      return
    }
    const text = await response.text()
    const answer = type.startsWith('application/json') ? JSON.parse(text) : undefined
    if (answer?.jsonrpc !== '2.0') return refused(message, response.status, answer)
    if (message.method === 'initialize') legacyVersion = answer.result?.protocolVersion
    write(answer)
  }

  /** Notifications have no answer, and requests that the service refused have no answer of MCP. */
  function refused(message: Message, status: number, answer: { error?: string } | undefined): void {
    if (status < 300 && message.id === undefined) return
    fail(message, answer?.error ?? `The service at ${endpoint.origin} answered with the status ${status}.`)
  }

  function fail(message: Message, sentence: string): void {
    log(sentence)
    if (message.id !== undefined && message.method !== undefined) write(errorAnswer(message.id, sentence))
  }

  return {
    /** Takes one line of the client. */
    receive(line: string): void {
      let message: Message
      try {
        message = JSON.parse(line)
      } catch {
        write(errorAnswer(null, 'The line is not JSON.', PARSE_ERROR))
        return
      }
      const work = forward(message).finally(() => running.delete(work))
      running.add(work)
    },
    /** Waits for the answers of all requests. */
    async end(): Promise<void> {
      await Promise.all(running)
    },
  }
}
