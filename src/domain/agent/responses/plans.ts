import type { Response } from '../response-types.ts'
import { bullets } from './text.ts'

/** A message confirms nothing, because any person of a chat can write a message. */
export const answerPlans: Response = async () => {
  const summary = 'A message neither confirms nor cancels a plan.'
  const ways = [
    'In a chat, the bot that posted the plan confirms or cancels the plan, usually by a button.',
    'A bot calls POST /agent/delegations/plans/{id}/confirm or POST /agent/delegations/plans/{id}/cancel.',
    'An MCP client calls the tool apply or the tool cancel_plan.',
  ]
  return { outcome: 'answered', title: 'Plans', summary, markdown: [summary, bullets(ways)].join('\n'), records: [] }
}
