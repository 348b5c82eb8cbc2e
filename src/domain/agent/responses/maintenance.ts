import { counted } from '../../kernel/text-rules.ts'
import { getMaintenance, listMaintenances } from '../../maintenances/read.ts'
import type { Response } from '../response-types.ts'
import { maintenanceLine } from './maintenance-lines.ts'
import { whichRecord } from './refusals.ts'
import { bullets, inWords, isRecord, plain, slotOf, spanWords, when } from './text.ts'

const MOST = 20
const UPDATES = 5

/** The windows ahead and in progress; of a span that has begun also the windows that are over. */
export const answerUpcomingMaintenance: Response = async (ctx, { item: found, from, to }) => {
  if (found && !isRecord(found)) return whichRecord(found, 'item')
  const now = ctx.now.toISOString()
  const isPast = to !== undefined && to <= now
  const hasBegun = from !== undefined && from < now
  const input = {
    ...{ view: 'full', limit: String(MOST) },
    ...(isPast ? { state: 'over' } : hasBegun ? {} : { state: 'open' }),
    ...(from ? { starts_after: from } : {}),
    ...(to ? { starts_before: to } : {}),
    ...(found ? { item_id: String(found.id) } : {}),
  }
  const { maintenances, total } = await ctx.read(listMaintenances, { input })
  maintenances.sort((a, b) => ((a.scheduled_start_time ?? '') < (b.scheduled_start_time ?? '') ? -1 : 1))
  const of = `${found ? ` on ${plain(found.name)}` : ''}${spanWords(from, to, ctx.zone, 'from')}`
  const none = isPast || hasBegun ? 'There was no maintenance' : 'No maintenance is planned or in progress'
  const summary = total === 0 ? `${none}${of}.` : `${counted(total, 'maintenance window')}${of}.`
  return {
    ...{ outcome: 'answered', title: 'Maintenance', summary },
    markdown: [summary, bullets(maintenances.map((one) => maintenanceLine(one, ctx.zone)))].filter(Boolean).join('\n'),
    records: maintenances.map(({ id, title }) => slotOf('maintenance', { id, name: title })),
  }
}

export const answerMaintenance: Response = async (ctx, { maintenance: found }) => {
  if (!isRecord(found)) return whichRecord(found, 'maintenance')
  const maintenance = await ctx.read(getMaintenance, { ref: { id: found.id } })
  const { id, title, status, auto_transition_enabled, updates = [], description } = maintenance
  const newest = [...updates].sort((a, b) => ((a.created_at ?? '') < (b.created_at ?? '') ? 1 : -1)).slice(0, UPDATES)
  const summary = `${plain(title)} is ${inWords(status)}.`
  const facts = [
    maintenanceLine(maintenance, ctx.zone),
    ...(description ? [plain(description)] : []),
    auto_transition_enabled ? 'Starts and completes at the scheduled times.' : 'Starts and completes by hand.',
    ...newest.map(({ created_at, message }) => `${when(created_at, ctx.zone)}: ${plain(message)}`),
  ]
  return {
    ...{ outcome: 'answered', title, summary },
    markdown: [summary, bullets(facts)].join('\n'),
    records: [
      slotOf('maintenance', { id, name: title }),
      ...(maintenance.affected_items ?? []).map((item) => slotOf('item', item)),
    ],
  }
}
