import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { type AuthInfo, createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Context } from 'koa'
import type { Logger } from 'pino'
import { Problem } from '../domain/kernel/errors.ts'
import { readBytes, readJson, requireShallow } from '../web/body.ts'

const MAX_BYTES = 1024 * 1024
const MAX_DEPTH = 64
/** Clients of 2025-03 may send several messages at once. */
const MAX_MESSAGES = 10

export interface Endpoint {
  /** Answers one HTTP request with MCP messages. */
  answer(ctx: Context, auth?: AuthInfo): Promise<void>
  handler: ReturnType<typeof createMcpHandler>
}

interface Options {
  logger: Pick<Logger, 'info'>
  /** How many streams of changes may be open at once. */
  maxSubscriptions?: number
}

/**
 * Serves MCP of 2026-07-28, and of 2025 without sessions: `factory` makes a server for each request, so that any process of
 * the API answers any request.
 */
export function openEndpoint(factory: McpServerFactory, { logger, maxSubscriptions = 0 }: Options): Endpoint {
  const onerror = (error: Error) => logger.info({ err: error }, 'a refused request of MCP')
  const handler = createMcpHandler(factory, { maxSubscriptions, onerror })
  const answerNode = toNodeHandler(handler, { onerror })
  return {
    handler,
    async answer(ctx, auth) {
      const body = ctx.method === 'POST' ? await readMessages(ctx) : undefined
      if (body && 'problem' in body) return refuse(ctx, body.problem)
      ctx.respond = false
      const request = ctx.req as IncomingMessage & { auth?: AuthInfo }
      if (auth) request.auth = auth
      await answerNode(request, ctx.res as ServerResponse as never, body?.messages)
    },
  }
}

type Body = { messages: unknown } | { problem: string }

async function readMessages(ctx: Context): Promise<Body> {
  const bytes = await readBytes(ctx, MAX_BYTES)
  try {
    requireShallow(bytes, MAX_DEPTH)
    const { value } = readJson(bytes)
    if (Array.isArray(value) && value.length > MAX_MESSAGES) {
      return { problem: `At most ${MAX_MESSAGES} messages may be sent at once.` }
    }
    return { messages: value }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}

const PARSE_ERROR = -32700

function refuse(ctx: Context, message: string): void {
  ctx.status = 400
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message } }
}
