import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { getPlan } from '../domain/agent/plans/operations.ts'
import { runTool, tools } from '../domain/agent/tools/index.ts'
import { answer, applyPlan, confirm } from '../domain/agent/tools/plans.ts'
import { call, mayWrite, type ToolContext } from '../domain/agent/tools/tool.ts'
import { Problem } from '../domain/kernel/errors.ts'
import { parseInput } from '../domain/kernel/parse.ts'
import { checkText } from '../web/body.ts'
import { answerOf } from '../web/errors.ts'
import { answerIn, askQuestions, askToConfirm, type Plan } from './forms.ts'
import { type FormState, sealState } from './request-state.ts'

type Result = CallToolResult | InputRequiredResult
type Given = Record<string, unknown>

/** Calls a tool. A refusal of an operation is a result that the model can read. */
export async function callTool(ctx: ToolContext, name: string, given: Given, mcp: ServerContext): Promise<Result> {
  const tool = tools.find((one) => one.name === name)
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name)}.`)
  const { mcpReq } = mcp
  try {
    checkText(given, '', 0)
    const state = mcpReq.requestState<FormState>()
    if (state) return await goOn(ctx, { name, given, state, mcp })
    if (tool === applyPlan && hasForms(mcp) && mayWrite(ctx.actor)) return await askFirst(ctx, given)
    return askOrShow(ctx, name, await runTool(ctx, tool, given), mcp)
  } catch (error) {
    return refused(ctx, error)
  }
}

/** The person at the client sees the effects of a plan before the plan is applied. */
async function askFirst(ctx: ToolContext, given: Given): Promise<Result> {
  const { plan_id } = parseInput(applyPlan.input, given)
  const plan = await call(ctx, getPlan, { id: plan_id })
  if (plan.status !== 'ready') return shown(await runTool(ctx, applyPlan, given))
  return askToConfirm(plan, seal(ctx, applyPlan.name, plan))
}

interface Continued {
  name: string
  given: Given
  state: FormState
  mcp: ServerContext
}

/** The second request of a tool call, with the form that the first request asked for. */
async function goOn(ctx: ToolContext, { name, given, state, mcp }: Continued): Promise<Result> {
  const isSameCall = state.tool === name && (given.plan_id === undefined || given.plan_id === state.plan_id)
  if (!isSameCall)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The request state belongs to another call.')
  const { plan_id: id, version } = state
  const answers = answerIn(mcp.mcpReq.inputResponses)
  if (name === applyPlan.name) {
    if (answers?.confirm === true) return shown(await confirm(ctx, id, version))
    return shown({ applied: false, because: 'The person did not agree.', plan: await call(ctx, getPlan, { id }) })
  }
  if (!answers || Object.keys(answers).length === 0) {
    return shown({ plan: await call(ctx, getPlan, { id }), because: 'The person answered no question.' })
  }
  return askOrShow(ctx, name, await answer(ctx, id, answers, version), mcp)
}

/** Asks the open questions of a plan where the client has forms; other clients get the plan at once. */
function askOrShow(ctx: ToolContext, name: string, result: object, mcp: ServerContext): Result {
  const { plan } = result as { plan?: Plan }
  const isOpen = plan?.status === 'needs_input' && plan.questions.some(({ answer: given }) => given === undefined)
  return plan && isOpen && hasForms(mcp) ? askQuestions(plan, seal(ctx, name, plan)) : shown(result)
}

/** Whether the client shows forms to a person. Clients of 2025 are asked nothing, because they have no session. */
function hasForms({ mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
  const { elicitation } = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}

function seal({ services, actor }: ToolContext, tool: string, { id: plan_id, version }: Plan): string {
  const token_id = actor.kind === 'token' ? actor.id : 0
  return sealState(services.keyring, { tool, plan_id, version, token_id }, services.clock())
}

const shown = (result: object): CallToolResult => ({ content: [{ type: 'text', text: JSON.stringify(result) }] })

function refused({ services, requestId }: ToolContext, error: unknown): CallToolResult {
  if (error instanceof ProtocolError) throw error
  const isKnown = error instanceof Problem
  if (!isKnown) services.logger.error({ err: error, request_id: requestId }, 'an unexpected error of a tool')
  const problem = isKnown
    ? error
    : new Problem('internal', 'The service failed to carry out this request; the log has the details.')
  return { ...shown(answerOf(problem, requestId)), isError: true }
}
