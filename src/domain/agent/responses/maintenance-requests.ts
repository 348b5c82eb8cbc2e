import type { AnyOperation } from '../../kernel/operation.ts'
import { updateMaintenance } from '../../maintenances/operations/change.ts'
import { createMaintenance } from '../../maintenances/operations/create.ts'
import { getMaintenance, listMaintenances } from '../../maintenances/read.ts'
import { cancelMaintenance, completeMaintenance, startMaintenance } from '../../maintenances/transitions.ts'
import type { Found, Slots } from '../language/types.ts'
import type { DraftStep, Question, Reply, Response, ResponseContext } from '../response-types.ts'
import { impossible } from './refusals.ts'
import { ask, askRecord, nameOf, planOf, recordsIn } from './requests.ts'
import { isRecord, lasting, minutesBetween, plain, slotOf, when } from './text.ts'

const later = (start: string, minutes: number) => new Date(Date.parse(start) + minutes * 60_000).toISOString()

export const scheduleMaintenance: Response = async (ctx, slots) => {
  const { items = [], title, start, minutes, message } = slots
  const unknown = items.find((item) => !isRecord(item))
  const affected = recordsIn(...items)
  const end = start && minutes ? later(start, minutes) : slots.end
  const questions = [
    ...(unknown || affected.length === 0 ? [itemsQuestion(unknown)] : []),
    ...(title === undefined ? [ask('title', 'text', 'What is the title of the maintenance?')] : []),
    ...(start === undefined ? [ask('start', 'datetime', 'When does the maintenance start?')] : []),
    ...(end === undefined && minutes === undefined
      ? [ask('minutes', 'duration', 'How long does the maintenance take?')]
      : []),
    ...orderProblem(start, end),
    ...pastProblem(end, ctx.now),
  ]
  const steps = (): DraftStep[] => [
    {
      operation: createMaintenance,
      input: {
        title,
        ...(message ? { description: message } : {}),
        affected_items: affected.map(({ id }) => ({ id })),
        scheduled_start_time: start,
        scheduled_end_time: end,
        auto_transition_enabled: true,
      },
      effect: `Schedules the maintenance “${plain(title ?? '')}” from ${when(start, ctx.zone)} until ${when(end, ctx.zone)} (${lasting(minutesBetween(start!, end!))}), affecting ${affected.map(nameOf).join(', ')}. The maintenance starts and completes by itself.`,
    },
  ]
  return planOf('Schedule maintenance', { questions, steps, records: affected })
}

const itemsQuestion = (unknown: Found | undefined): Question => ({
  ...askRecord('items', unknown, [], 'name as affected'),
  kind: 'items',
  ...(unknown ? {} : { prompt: 'Which items does the maintenance affect?' }),
})

const orderProblem = (start: string | undefined, end: string | undefined): Question[] =>
  start && end && end <= start
    ? [ask('minutes', 'duration', 'The maintenance would end before its start. How long does the maintenance take?')]
    : []

const pastProblem = (end: string | undefined, now: Date): Question[] =>
  end && Date.parse(end) <= now.getTime()
    ? [ask('start', 'datetime', 'The maintenance would end in the past. When does the maintenance start?')]
    : []

async function plannedWindows(ctx: ResponseContext, status: 'scheduled' | 'in_progress' | undefined) {
  const input = status ? { status, limit: '20' } : { state: 'open', limit: '20' }
  const { maintenances } = await ctx.read(listMaintenances, { input })
  return maintenances.map(({ id, title }) => slotOf('maintenance', { id, name: title }))
}

export const rescheduleMaintenance: Response = async (ctx, slots): Promise<Reply> => {
  const candidates = isRecord(slots.maintenance) ? [] : await plannedWindows(ctx, undefined)
  const found = slots.maintenance ?? (candidates.length === 1 ? candidates[0] : undefined)
  if (!found && candidates.length === 0) return impossible('No maintenance is planned or in progress.')
  if (!isRecord(found)) {
    const questions = [askRecord('maintenance', found, candidates, 'reschedule')]
    return planOf('Reschedule maintenance', { questions, steps: () => [] })
  }
  const stored = await ctx.read(getMaintenance, { ref: { id: found.id } })
  const { start, end } = newTimes(slots, stored)
  const questions = [
    ...(start || end ? [] : [ask('start', 'datetime', 'When shall the maintenance start?')]),
    ...orderProblem(start ?? stored.scheduled_start_time ?? undefined, end),
    ...pastProblem(end, ctx.now),
  ]
  const steps = (): DraftStep[] => [
    {
      operation: updateMaintenance,
      input: {
        ...{ id: found.id, title: stored.title },
        ...(start ? { scheduled_start_time: start } : {}),
        ...(end ? { scheduled_end_time: end } : {}),
      },
      effect: `Reschedules the maintenance ${nameOf(found)} to ${when(start ?? stored.scheduled_start_time, ctx.zone)} until ${when(end ?? stored.scheduled_end_time, ctx.zone)}.`,
    },
  ]
  return planOf('Reschedule maintenance', { questions, steps, records: [found] })
}

interface Times {
  scheduled_start_time: string | null
  scheduled_end_time: string | null
}

/** A new start keeps the duration unless the request gives an end or a duration. */
function newTimes(slots: Slots, { scheduled_start_time: from, scheduled_end_time: to }: Times) {
  const { start, end, minutes, shift, longer } = slots
  if (shift !== undefined && from) return { start: later(from, shift), end: to ? later(to, shift) : undefined }
  if (longer !== undefined && to) return { start, end: later(to, longer) }
  const begins = start ?? from ?? undefined
  const lasts = minutes ?? (start && from && to ? minutesBetween(from, to) : undefined)
  return { start, end: end ?? (begins && lasts !== undefined ? later(begins, lasts) : undefined) }
}

interface Move {
  title: string
  verb: string
  operation: AnyOperation
  status: 'scheduled' | 'in_progress' | undefined
  effect: (name: string) => string
}

const moving =
  ({ title, verb, operation, status, effect }: Move): Response =>
  async (ctx, { maintenance, message }): Promise<Reply> => {
    const candidates = isRecord(maintenance) ? [] : await plannedWindows(ctx, status)
    const found = maintenance ?? (candidates.length === 1 ? candidates[0] : undefined)
    if (!found && candidates.length === 0) return impossible(`There is no maintenance to ${verb}.`)
    const questions = isRecord(found) ? [] : [askRecord('maintenance', found, candidates, verb)]
    const withMessage = message ? `, with the message “${plain(message)}”` : ''
    const steps = (): DraftStep[] =>
      isRecord(found)
        ? [
            {
              operation,
              input: { id: found.id, ...(message ? { message } : {}) },
              effect: `${effect(nameOf(found))}${withMessage}.`,
            },
          ]
        : []
    return planOf(title, { questions, steps, records: recordsIn(found) })
  }

export const startPlannedMaintenance = moving({
  title: 'Start maintenance',
  verb: 'start',
  operation: startMaintenance,
  status: 'scheduled',
  effect: (name) => `Starts the maintenance ${name} now`,
})

export const completeRunningMaintenance = moving({
  title: 'Complete maintenance',
  verb: 'complete',
  operation: completeMaintenance,
  status: 'in_progress',
  effect: (name) => `Completes the maintenance ${name} now`,
})

export const cancelOpenMaintenance = moving({
  title: 'Cancel maintenance',
  verb: 'cancel',
  operation: cancelMaintenance,
  status: undefined,
  effect: (name) => `Cancels the maintenance ${name}`,
})
