import { lookup } from 'node:dns/promises'
import type { OwnPorts } from '../../kernel/services.ts'
import { type Answer, answerOf, Completion, type FunctionTool, type Message, parseJson } from './completion.ts'
import { LIMITS } from './limits.ts'
import { ModelFailed } from './model-failed.ts'

/** A model behind an OpenAI-compatible endpoint. Only this file knows the key. */
export interface ChatModel {
  /** The next message of a conversation. Every failure is a ModelFailed; the reason of the signal has to be one. */
  next(conversation: { messages: Message[]; tools: FunctionTool[] }, signal: AbortSignal): Promise<Answer>
}

export interface ModelConfig {
  AGENT_BASE_URL?: string | undefined
  AGENT_MODEL?: string | undefined
  AGENT_API_KEY?: string | undefined
}

/** The model of the configuration; null without one. */
export function openChatModel(config: ModelConfig, ownPorts: OwnPorts): ChatModel | null {
  const { AGENT_BASE_URL: base, AGENT_MODEL: model, AGENT_API_KEY: key } = config
  if (base === undefined || model === undefined) return null
  const url = completionsUrl(base)
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  }
  return {
    async next({ messages, tools }, signal) {
      const asked = { model, messages, max_tokens: LIMITS.tokensOfAnswer, ...(tools.length > 0 ? { tools } : {}) }
      try {
        await requireOtherService(url, ownPorts)
        const response = await fetch(url, {
          ...{ method: 'POST', headers, signal, body: JSON.stringify(asked) },
          // A redirect would send the messages of users to a place that is not configured.
          redirect: 'manual',
        })
        return readAnswer(response, key)
      } catch (error) {
        if (error instanceof ModelFailed) throw error
        throw signal.aborted ? signal.reason : new ModelFailed('The model could not be reached.')
      }
    },
  }
}

function completionsUrl(base: string): URL {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  return url
}

/** The address may be private, because an operator configured it, but no port of this service answers for a model. */
async function requireOtherService({ hostname, port, protocol }: URL, ownPorts: OwnPorts): Promise<void> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const number = Number(port) || (protocol === 'https:' ? 443 : 80)
  const found = await lookup(host, { all: true })
  if ([host, ...found.map(({ address }) => address)].some((one) => ownPorts.includes(one, number))) {
    throw new ModelFailed('The address of the model is an address of this service.')
  }
}

async function readAnswer(response: Response, key: string | undefined): Promise<Answer> {
  if (!response.ok) {
    await response.body?.cancel().catch(() => {})
    throw new ModelFailed(refusalOf(response.status))
  }
  const parsed = Completion.safeParse(parseJson(await readText(response)))
  if (!parsed.success) throw new ModelFailed('The model answered in a form that is not a chat completion.')
  if (key !== undefined && JSON.stringify(parsed.data).includes(JSON.stringify(key).slice(1, -1))) {
    throw new ModelFailed('The answer of the model contained its API key.')
  }
  return answerOf(parsed.data)
}

function refusalOf(status: number): string {
  if (status === 429) return 'The model has too many requests (HTTP 429).'
  if (status >= 300 && status < 400)
    return `The model answered with a redirect (HTTP ${status}), which is not followed.`
  return `The model answered with HTTP ${status}.`
}

async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest of the body.
  for await (const part of body ?? []) {
    size += part.length
    if (size > LIMITS.bytesOfAnswer) throw new ModelFailed('The answer of the model was too long.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
