import { z } from 'zod'
import { respond } from '../turns/respond.ts'
import { waitForAnswer } from '../wait.ts'
import { call, type ToolContext, tool } from './tool.ts'

export const ask = tool({
  name: 'ask',
  title: 'Ask in English',
  description:
    'Answers a question about the page in English, such as "why was no reminder sent for incident 17?", or drafts a plan for a request. A plan changes nothing until `apply`.',
  effect: 'read',
  input: z.strictObject({
    question: z.string().min(1).max(4000),
    conversation: z.string().min(1).max(200).optional().describe('Any text; the same text continues a conversation'),
  }),
  async run(ctx, { question, conversation }) {
    const asked = {
      query: question,
      surface: 'mcp',
      ...(conversation === undefined ? {} : { conversation: { external_thread_key: threadOf(ctx, conversation) } }),
    }
    const { turn_id } = await call(ctx, respond, asked)
    const answer = await waitForAnswer(ctx.services, ctx, turn_id, ctx.patience.turnMs)
    if (!answer)
      return {
        turn_id,
        outcome: 'processing',
        markdown: 'The answer is not ready. Call ask again with the same question.',
      }
    const { outcome, markdown, plan, sources } = answer
    return { turn_id, outcome, markdown, plan, sources }
  },
})

/** Neither a bot nor another token has a conversation of the same name. */
const threadOf = ({ actor }: ToolContext, conversation: string): string =>
  `mcp:${actor.kind === 'token' ? actor.id : 0}:${conversation}`
