import { listOccurrences, skipOccurrence } from '../../series/occurrences.ts'
import { listSeries } from '../../series/read.ts'
import type { DraftStep, Reply, Response } from '../response-types.ts'
import { impossible } from './refusals.ts'
import { ask, askRecord, nameOf, planOf } from './requests.ts'
import { isRecord, plain, slotOf, when } from './text.ts'

export const skipNextOccurrence: Response = async (ctx, { series, date, reason }): Promise<Reply> => {
  const candidates = isRecord(series)
    ? []
    : (await ctx.read(listSeries, { input: { limit: '20' } })).series.map(({ id, title }) =>
        slotOf('series', { id, name: title }),
      )
  const found = series ?? (candidates.length === 1 ? candidates[0] : undefined)
  if (!found && candidates.length === 0) return impossible('This page has no series of maintenances.')
  if (!isRecord(found)) {
    const questions = [askRecord('series', found, candidates, 'skip an occurrence of')]
    return planOf('Skip an occurrence', { questions, steps: () => [] })
  }
  const { occurrences } = await ctx.read(listOccurrences, {
    ref: { id: found.id },
    input: { from: ctx.now.toISOString(), limit: '100' },
  })
  const ahead = occurrences.filter(({ status }) => status === 'planned' || status === 'created')
  const wanted = date ? ahead.find((one) => dateIn(one.original_start_time, ctx.zone) === date) : ahead[0]
  const prompt = date
    ? `The series ${nameOf(found)} has no occurrence on ${date}. The occurrence of which day shall I skip?`
    : `The series ${nameOf(found)} has no occurrence ahead. The occurrence of which day shall I skip?`
  const questions = wanted ? [] : [ask('date', 'date', prompt)]
  const steps = (): DraftStep[] => [
    {
      operation: skipOccurrence,
      input: { id: found.id, index: wanted!.index, ...(reason ? { reason } : {}) },
      effect: `Skips the occurrence ${wanted!.index} of the series ${nameOf(found)} at ${when(wanted!.original_start_time, ctx.zone)}${reason ? `, because “${plain(reason)}”` : ''}.`,
    },
  ]
  return planOf('Skip an occurrence', { questions, steps, records: [found] })
}

const dateIn = (moment: string, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(moment),
  )
