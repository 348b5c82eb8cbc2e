import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { PlanResource } from '../domain/agent/plans/schema.ts'

export type Plan = z.output<typeof PlanResource>
type Question = Plan['questions'][number]

/** The name of the form in the two requests of a tool call. */
const FORM = 'form'

const isOpen = ({ answer }: Question) => answer === undefined

/** Asks the person at the client the open questions of a plan. */
export function askQuestions({ id, summary, questions }: Plan, requestState: string): InputRequiredResult {
  const open = questions.filter(isOpen)
  const form = inputRequired.elicit({
    message: `Plan ${id} needs answers: ${summary}`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(open.map((question) => [question.key, fieldOf(question)])),
      required: open.filter(({ required }) => required).map(({ key }) => key),
    } as Schema,
  })
  return inputRequired({ inputRequests: { [FORM]: form }, requestState })
}

/** Shows the person at the client the exact effects of a plan, in the words of the service. */
export function askToConfirm({ id, steps }: Plan, requestState: string): InputRequiredResult {
  const effects = steps.map(({ effect }, index) => `${index + 1}. ${effect}`)
  const form = inputRequired.elicit({
    message: [`Apply plan ${id}?`, ...effects].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Apply these changes' } },
      required: ['confirm'],
    },
  })
  return inputRequired({ inputRequests: { [FORM]: form }, requestState })
}

type Schema = Extract<Parameters<typeof inputRequired.elicit>[0]['requestedSchema'], { type: 'object' }>

function fieldOf({ prompt, options = [], kind }: Question): object {
  const titled = options.map(({ value, label }) => ({ const: value, title: label }))
  if (kind === 'items' && titled.length > 0) return { type: 'array', title: prompt, items: { anyOf: titled } }
  if (titled.length > 0) return { type: 'string', title: prompt, oneOf: titled }
  return { type: 'string', title: prompt }
}

/** What the person answered; undefined if the person declined or closed the form. An acceptance without fields is empty. */
export function answerIn(responses: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const view = inputResponse(responses as never, FORM)
  if (view.kind !== 'elicit' || view.action !== 'accept') return undefined
  const given = Object.entries(view.content ?? {}).filter(([, value]) => value !== '' && value !== null)
  return Object.fromEntries(given)
}
