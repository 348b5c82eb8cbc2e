import type { StoredPlanStep } from '../../../persistence/entities/action-plan.ts'
import type { PlanReply } from '../response-types.ts'
import { bullets, escaped, plain } from './text.ts'

/** The draft of a plan for a chat: what the plan would do, or what it still asks. */
export function planMarkdown({ title, questions, notes = [] }: PlanReply, steps: StoredPlanStep[]): string {
  const asked = questions.map(({ prompt, options = [] }) => {
    const choices = options.map(({ label }) => plain(label, 80)).join(', ')
    return choices === '' ? prompt : `${prompt} (${choices})`
  })
  if (steps.length === 0) return escaped([`${title}: answers are missing.`, bullets(asked), ...notes].join('\n'))
  const effects = steps.map(({ effect }) => effect)
  const open = asked.length > 0 ? [`Still open:\n${bullets(asked)}`] : []
  const lines = ['This is the plan. Nothing changes until the plan is confirmed.', bullets(effects), ...open, ...notes]
  return escaped(lines.join('\n'))
}
