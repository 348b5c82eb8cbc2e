import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequest,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { StateCodec } from './fixture.ts'

/** Tools that ask the client for something before they answer. */

const done = (text: string) => ({ content: [{ type: 'text' as const, text }] })

const field = (message: string, name: string, type: 'string' | 'boolean') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] } as never,
  })

const askName = () => field('What is your name?', 'name', 'string')
const askModel = () =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 100,
  })

const accepted = ({ mcpReq }: ServerContext, key: string, name: string): unknown =>
  acceptedContent<Record<string, unknown>>(mcpReq.inputResponses, key)?.[name]
const answeredText = ({ mcpReq }: ServerContext, key: string): string | undefined =>
  (mcpReq.inputResponses?.[key] as { content?: { text?: string } } | undefined)?.content?.text
const rootsIn = ({ mcpReq }: ServerContext): unknown[] | undefined =>
  (mcpReq.inputResponses?.client_roots as { roots?: unknown[] } | undefined)?.roots

type Answer = ReturnType<typeof done> | ReturnType<typeof inputRequired>

export function addAskingTools(server: McpServer, codec: StateCodec): void {
  const tool = (name: string, answer: (ctx: ServerContext) => Answer | Promise<Answer>) =>
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, async (_given, ctx) => answer(ctx))
  const ask = (inputRequests: Record<string, InputRequest>, requestState?: string) =>
    inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) })

  tool('test_input_required_result_elicitation', (ctx) => {
    const name = accepted(ctx, 'user_name', 'name')
    return typeof name === 'string' ? done(`Hello, ${name}!`) : ask({ user_name: askName() })
  })
  tool('test_input_required_result_sampling', (ctx) => {
    const text = answeredText(ctx, 'capital_question')
    return text === undefined ? ask({ capital_question: askModel() }) : done(`The model wrote: ${text}`)
  })
  tool('test_missing_capability', (ctx) => {
    const text = answeredText(ctx, 'capital_question')
    return text === undefined ? ask({ capital_question: askModel() }) : done(text)
  })
  tool('test_input_required_result_list_roots', (ctx) => {
    const roots = rootsIn(ctx)
    return roots ? done(`${roots.length} roots`) : ask({ client_roots: inputRequired.listRoots() })
  })
  tool('test_input_required_result_multiple_inputs', async (ctx) => {
    const [name, greeting, roots] = [accepted(ctx, 'user_name', 'name'), answeredText(ctx, 'greeting'), rootsIn(ctx)]
    if (name && greeting && roots) return done(`${greeting} ${name}, ${roots.length} roots`)
    const requests = { user_name: askName(), greeting: askModel(), client_roots: inputRequired.listRoots() }
    return ask(requests, await codec.mint({ round: 0 }))
  })
  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    if (mcpReq.inputResponses) return done('answered')
    const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
    const { elicitation, sampling, roots } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
    const requests = {
      ...(elicitation ? { user_name: askName() } : {}),
      ...(sampling ? { greeting: askModel() } : {}),
      ...(roots ? { client_roots: inputRequired.listRoots() } : {}),
    }
    return Object.keys(requests).length > 0 ? ask(requests) : done('The client can be asked nothing.')
  })
  const confirmed = async (ctx: ServerContext, text: string) => {
    const isConfirmed = accepted(ctx, 'confirm', 'ok') !== undefined && ctx.mcpReq.requestState() !== undefined
    return isConfirmed
      ? done(text)
      : ask({ confirm: field('Please confirm', 'ok', 'boolean') }, await codec.mint({ round: 0 }))
  }
  tool('test_input_required_result_request_state', (ctx) => confirmed(ctx, 'state-ok: confirmed'))
  tool('test_input_required_result_tampered_state', (ctx) => confirmed(ctx, 'integrity-ok'))
  tool('test_input_required_result_multi_round', async (ctx) => {
    const { round = 0, name } = ctx.mcpReq.requestState<{ round: number; name?: string }>() ?? {}
    if (round === 0) return ask({ step1: askName() }, await codec.mint({ round: 1 }))
    if (round === 2) return done(`${name} likes ${accepted(ctx, 'step2', 'color')}`)
    const state = await codec.mint({ round: 2, name: String(accepted(ctx, 'step1', 'name')) })
    return ask({ step2: field('What is your favourite colour?', 'color', 'string') }, state)
  })
}
