import { overrideStatus, takeBackOverride } from '../../hierarchy/override.ts'
import { listStatusTypes } from '../../hierarchy/status-types.ts'
import type { DraftStep, Question, Response, ResponseContext } from '../response-types.ts'
import { ask, askLater, askRecord, nameOf, planOf, recordsIn } from './requests.ts'
import { inWords, isRecord, plain, when } from './text.ts'

export const setItemStatus: Response = async (ctx, { item, status, reason, until, minutes }) => {
  const end = until ?? (minutes ? new Date(ctx.now.getTime() + minutes * 60_000).toISOString() : undefined)
  const questions = [
    ...(isRecord(item) ? [] : [askRecord('item', item, [], 'set the status of')]),
    ...(status ? [] : [await statusQuestion(ctx)]),
    ...askLater(end, ctx.now, 'status'),
    ...(reason ? [] : [ask('reason', 'text', 'What is the reason for the status? Admins see the reason.')]),
  ]
  const steps = (): DraftStep[] =>
    isRecord(item)
      ? [
          {
            operation: overrideStatus,
            input: { id: item.id, status, reason, ...(end ? { until: end } : {}) },
            effect: `Sets the status of ${nameOf(item)} to ${inWords(status ?? '')}${end ? ` until ${when(end, ctx.zone)}` : ' until the status is cleared'}, because “${plain(reason ?? '')}”.`,
          },
        ]
      : []
  return planOf('Set the status of an item', { questions, steps, records: recordsIn(item) })
}

async function statusQuestion(ctx: ResponseContext): Promise<Question> {
  const { status_types } = await ctx.read(listStatusTypes)
  const options = status_types.map(({ key, name }) => ({ value: key, label: name }))
  return { ...ask('status', 'status', 'Which status shall the item have?'), options }
}

export const clearItemStatus: Response = async (_ctx, { item }) => {
  const questions = isRecord(item) ? [] : [askRecord('item', item, [], 'clear the status of')]
  const steps = (): DraftStep[] =>
    isRecord(item)
      ? [
          {
            operation: takeBackOverride,
            input: { id: item.id },
            effect: `Ends the status that was set by hand for ${nameOf(item)}: the status is computed again.`,
          },
        ]
      : []
  return planOf('Clear the status of an item', { questions, steps, records: recordsIn(item) })
}
