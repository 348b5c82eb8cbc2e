import type { z } from 'zod'
import { getItem } from '../../hierarchy/items.ts'
import { listItems } from '../../hierarchy/list.ts'
import { listIncidents } from '../../incidents/read.ts'
import { counted } from '../../kernel/text-rules.ts'
import { listMaintenances } from '../../maintenances/read.ts'
import { getUptime } from '../../uptime/item-uptime.ts'
import type { Response, ResponseContext } from '../response-types.ts'
import { incidentLine } from './incident-lines.ts'
import { maintenanceLine } from './maintenance-lines.ts'
import { whichRecord } from './refusals.ts'
import { bullets, inWords, isRecord, named, plain, slotOf } from './text.ts'

type Incidents = z.output<typeof listIncidents.output>['incidents']
type Maintenances = z.output<typeof listMaintenances.output>['maintenances']

async function current(ctx: ResponseContext, item_id?: number) {
  const of = item_id === undefined ? {} : { item_id: String(item_id) }
  const { incidents } = await ctx.read(listIncidents, { input: { state: 'open', view: 'full', ...of } })
  const { maintenances } = await ctx.read(listMaintenances, { input: { status: 'in_progress', view: 'full', ...of } })
  return { incidents, maintenances }
}

const recordsOf = (incidents: Incidents, maintenances: Maintenances) => [
  ...incidents.map(({ id, title }) => slotOf('incident', { id, name: title })),
  ...maintenances.map(({ id, title }) => slotOf('maintenance', { id, name: title })),
]

const activity = ({ zone }: ResponseContext, incidents: Incidents, maintenances: Maintenances): string[] => [
  ...incidents.map((incident) => incidentLine(incident, zone)),
  ...maintenances.map((maintenance) => maintenanceLine(maintenance, zone)),
]

export const answerStatus: Response = async (ctx) => {
  const { incidents, maintenances } = await current(ctx)
  const { items } = await ctx.read(listItems, { input: { depth: '1', limit: '100' } })
  const ill = items.filter(({ status }) => status !== 'operational')
  const summary =
    ill.length === 0 && incidents.length === 0
      ? 'All systems are operational.'
      : `${counted(incidents.length, 'open incident')}; ${ill.length === 0 ? 'all items are operational' : ill.map(({ name, status }) => stateOf(name, status)).join(', ')}.`
  const lines = activity(ctx, incidents, maintenances)
  return {
    ...{ outcome: 'answered', title: 'Current status', summary },
    markdown: [summary, bullets(lines)].filter(Boolean).join('\n'),
    records: recordsOf(incidents, maintenances),
  }
}

export const answerItemStatus: Response = async (ctx, { item: found }) => {
  if (!isRecord(found)) return whichRecord(found, 'item')
  const item = await ctx.read(getItem, { ref: { id: found.id } })
  const { incidents, maintenances } = await current(ctx, item.id)
  const summary = `${stateOf(item.name, item.status)}.`
  const reason = item.status_override ? [`The status was set by hand: ${plain(item.status_override.reason)}`] : []
  return {
    ...{ outcome: 'answered', title: `Status of ${item.name}`, summary },
    markdown: [summary, bullets([...reason, ...activity(ctx, incidents, maintenances)])].filter(Boolean).join('\n'),
    records: [slotOf('item', item), ...recordsOf(incidents, maintenances)],
  }
}

/** "Checkout is operational", "Checkout has the status major outage". */
const stateOf = (name: string, status: string): string =>
  status === 'operational'
    ? `${plain(name, 80)} is operational`
    : `${plain(name, 80)} has the status ${inWords(status)}`

const DAYS = 90

export const answerUptime: Response = async (ctx, { item: found, days = DAYS }) => {
  if (found && !isRecord(found)) return whichRecord(found, 'item')
  const span = String(Math.min(Math.max(days, 1), 365))
  const items = found
    ? [await ctx.read(getItem, { ref: { id: found.id } })]
    : (await ctx.read(listItems, { input: { depth: '1', limit: '20' } })).items
  const lines: string[] = []
  for (const { id, name } of items) {
    const { uptime_percent, downtime_seconds } = await ctx.read(getUptime, { ref: { id }, input: { days: span } })
    const down = downtime_seconds > 0 ? ` (${Math.ceil(downtime_seconds / 60)} minutes of downtime)` : ''
    lines.push(`${named(name, id)}: ${uptime_percent === null ? 'no data' : `${roundedDown(uptime_percent)} %`}${down}`)
  }
  const summary = `Uptime of the last ${counted(Number(span), 'day')}.`
  return {
    ...{ outcome: 'answered', title: 'Uptime', summary: lines.length === 1 ? lines[0]! : summary },
    markdown: [summary, bullets(lines)].join('\n'),
    records: items.map((item) => slotOf('item', item)),
  }
}

/** Down to three digits, so that 100 means no downtime. */
const roundedDown = (percent: number): string => String(Math.floor(percent * 1000) / 1000)
