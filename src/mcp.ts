import { createInterface } from 'node:readline'
import { openBridge } from './mcp/stdio/bridge.ts'

/** `npm run --silent mcp`: MCP on stdio, for clients that start a program. Everything is answered by the service at UPBEAT_URL. */
const { UPBEAT_URL: url = 'http://localhost:3000', UPBEAT_TOKEN: token } = process.env

const log = (line: string) => console.error(`upbeat: ${line}`)

function refuse(reason: string): never {
  log(reason)
  process.exit(1)
}

if (!token) refuse('Set UPBEAT_TOKEN to an API token of the page.')
if (!URL.canParse(url))
  refuse(`UPBEAT_URL must be the address of the service, such as https://status.example.com, and not ${url}.`)

const bridge = openBridge({ url, token, log, write: (message) => process.stdout.write(`${JSON.stringify(message)}\n`) })
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') bridge.receive(line)
}
await bridge.end()
