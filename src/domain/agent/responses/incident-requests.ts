import { createIncident } from '../../incidents/create.ts'
import { listIncidents } from '../../incidents/read.ts'
import { acknowledgeIncident, reopenIncident, resolveIncident } from '../../incidents/resolve.ts'
import { addUpdate } from '../../incidents/timeline.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { Found, Slots } from '../language/types.ts'
import type { DraftStep, Question, Reply, Response, ResponseContext } from '../response-types.ts'
import { impossible } from './refusals.ts'
import { ask, askRecord, nameOf, planOf, recordsIn } from './requests.ts'
import { inWords, isRecord, plain, slotOf } from './text.ts'

export const openIncident: Response = async (_ctx, { items = [], title, status, message }) => {
  const unknown = items.find((item) => !isRecord(item))
  const affected = recordsIn(...items)
  const questions = [
    ...(unknown ? [askRecord('items', unknown, [], 'name as affected')] : []),
    ...(title === undefined ? [ask('title', 'text', 'What is the title of the incident?')] : []),
  ]
  const on = affected.length > 0 ? `, affecting ${affected.map(nameOf).join(', ')}` : ''
  const as = status ? ` with the status ${inWords(status)}` : ''
  const steps = (): DraftStep[] => [
    {
      operation: createIncident,
      input: {
        title,
        ...(status ? { status } : {}),
        ...(message ? { description: message } : {}),
        ...(affected.length > 0 ? { affected_items: affected.map(({ id }) => ({ id })) } : {}),
      },
      effect: `Opens the incident “${plain(title ?? '')}”${as}${on}.`,
    },
  ]
  return planOf('Open an incident', { questions, steps, records: affected })
}

async function incidentsOf(ctx: ResponseContext, state: 'open' | 'resolved') {
  const { incidents } = await ctx.read(listIncidents, { input: { state, limit: '20' } })
  return incidents.map(({ id, title }) => slotOf('incident', { id, name: title }))
}

interface Change {
  title: string
  verb: string
  state: 'open' | 'resolved'
  operation: AnyOperation
  missing?: (slots: Slots) => Question[]
  input: (slots: Slots) => Record<string, unknown>
  effect: (name: string, slots: Slots) => string
}

/** A request about one incident, which the request names, or which is the only one in the right state. */
const changing =
  ({ title, verb, state, operation, missing, input, effect }: Change): Response =>
  async (ctx, slots): Promise<Reply> => {
    const candidates = isRecord(slots.incident) ? [] : await incidentsOf(ctx, state)
    const found: Found | undefined =
      slots.incident ?? (candidates.length === 1 && state === 'open' ? candidates[0] : undefined)
    if (!found && candidates.length === 0) return impossible(`There is no ${state} incident to ${verb}.`)
    const questions = [
      ...(isRecord(found) ? [] : [askRecord('incident', found, candidates, verb)]),
      ...(missing?.(slots) ?? []),
    ]
    const steps = (): DraftStep[] =>
      isRecord(found)
        ? [{ operation, input: { id: found.id, ...input(slots) }, effect: effect(nameOf(found), slots) }]
        : []
    return planOf(title, { questions, steps, records: recordsIn(found) })
  }

const withMessage = (message: string | undefined) => (message ? `, with the message “${plain(message)}”` : '')

export const updateIncident = changing({
  title: 'Update an incident',
  verb: 'update',
  state: 'open',
  operation: addUpdate,
  missing: ({ message, status }) =>
    message === undefined && status === undefined ? [ask('message', 'text', 'What is the message of the update?')] : [],
  input: ({ message, status, stage }) => ({
    ...(message ? { message } : {}),
    ...(status ? { status } : {}),
    ...(stage ? { lifecycle_stage_name: stage } : {}),
  }),
  effect: (name, { message, status, stage }) =>
    `Adds an update to the incident ${name}${status ? ` with the status ${inWords(status)}` : ''}${stage ? ` in the stage ${plain(stage)}` : ''}${withMessage(message)}.`,
})

export const resolveOpenIncident = changing({
  title: 'Resolve an incident',
  verb: 'resolve',
  state: 'open',
  operation: resolveIncident,
  input: ({ message }) => (message ? { resolution_message: message } : {}),
  effect: (name, { message }) => `Resolves the incident ${name}${withMessage(message)}.`,
})

export const reopenResolvedIncident = changing({
  title: 'Reopen an incident',
  verb: 'reopen',
  state: 'resolved',
  operation: reopenIncident,
  input: ({ message }) => (message ? { message } : {}),
  effect: (name, { message }) => `Reopens the incident ${name}${withMessage(message)}.`,
})

export const acknowledgeOpenIncident = changing({
  title: 'Acknowledge an incident',
  verb: 'acknowledge',
  state: 'open',
  operation: acknowledgeIncident,
  input: () => ({}),
  effect: (name) => `Acknowledges the incident ${name}.`,
})
