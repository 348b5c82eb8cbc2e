import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that speaks the chat completions protocol and answers as a test says. */

interface Asked {
  model: string
  messages: { role: string; content: string | null; tool_call_id?: string }[]
  tools?: { function: { name: string; parameters: object } }[]
}

export interface Call {
  name: string
  given: unknown
}

/** A text, tool calls, or anything else that a server can do. */
type Turn = string | Call[] | ((response: ServerResponse) => void)

export interface ModelServer {
  url: string
  /** The requests since the last script, in order. */
  asked: Asked[]
  /** The Authorization headers of these. */
  keys: (string | undefined)[]
  /** The next answers; a function answers every request. */
  script(turns: Turn[] | ((asked: Asked, index: number) => Turn)): void
  close(): Promise<void>
}

export const KEY = 'sk-test-4f9d2c"\\slash'

export async function openModelServer(): Promise<ModelServer> {
  let turnOf: (asked: Asked, index: number) => Turn = () => 'Nothing is scripted.'
  const asked: Asked[] = []
  const keys: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as Asked
    asked.push(body)
    keys.push(request.headers.authorization)
    send(response, turnOf(body, asked.length - 1))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    keys,
    script(turns) {
      asked.length = 0
      keys.length = 0
      turnOf = typeof turns === 'function' ? turns : (_asked, index) => turns[index] ?? 'The script is over.'
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

function send(response: ServerResponse, turn: Turn): void {
  if (typeof turn === 'function') {
    turn(response)
    return
  }
  const message =
    typeof turn === 'string'
      ? { role: 'assistant', content: turn }
      : { role: 'assistant', content: null, tool_calls: turn.map(callOf) }
  answerJson(response, { id: 'x', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] })
}

export function answerJson(response: ServerResponse, body: unknown): void {
  response.setHeader('Content-Type', 'application/json')
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

const callOf = ({ name, given }: Call, index: number) => ({
  id: `call_${index}`,
  type: 'function',
  function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
})

/** What the first request of a message declares. */
export const declare = (...operations: string[]): Call[] => [
  { name: 'declare_changes', given: { changes: operations.map((operation) => ({ operation })) } },
]
export const read = (operation: string, input: object = {}): Call => ({ name: 'read', given: { operation, input } })
export const plan = (...steps: { operation: string; input: object }[]): Call[] => [{ name: 'plan', given: { steps } }]
