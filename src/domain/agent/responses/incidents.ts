import { getIncident, listIncidents } from '../../incidents/read.ts'
import { counted } from '../../kernel/text-rules.ts'
import type { Response, ResponseContext } from '../response-types.ts'
import { incidentLine, updateLine } from './incident-lines.ts'
import { whichRecord } from './refusals.ts'
import { bullets, inWords, isRecord, plain, slotOf, spanWords, when } from './text.ts'

const MOST = 20
const DAY_MS = 24 * 60 * 60 * 1000
const PAST_DAYS = 14

export const answerOpenIncidents: Response = async (ctx, { item: found }) => {
  if (found && !isRecord(found)) return whichRecord(found, 'item')
  const input = { state: 'open', view: 'full', limit: String(MOST), ...(found ? { item_id: String(found.id) } : {}) }
  const { incidents, total } = await ctx.read(listIncidents, { input })
  const of = found ? ` on ${plain(found.name)}` : ''
  const summary = total === 0 ? `There is no open incident${of}.` : `${counted(total, 'open incident')}${of}.`
  return {
    ...{ outcome: 'answered', title: 'Open incidents', summary },
    markdown: [summary, bullets(incidents.map((incident) => incidentLine(incident, ctx.zone)))]
      .filter(Boolean)
      .join('\n'),
    records: incidents.map(({ id, title }) => slotOf('incident', { id, name: title })),
  }
}

const UPDATES = 5

export const answerIncident: Response = async (ctx, { incident: found }) => {
  if (!isRecord(found)) return whichRecord(found, 'incident')
  const incident = await ctx.read(getIncident, { ref: { id: found.id } })
  const { id, title, status, resolved_at, acknowledged_at, updates = [], description } = incident
  const newest = [...updates].sort((a, b) => ((a.created_at ?? '') < (b.created_at ?? '') ? 1 : -1)).slice(0, UPDATES)
  const summary = `${plain(title)} is ${resolved_at ? `resolved since ${when(resolved_at, ctx.zone)}` : `open with the status ${inWords(status)}`}.`
  const facts = [
    incidentLine(incident, ctx.zone),
    ...(description ? [plain(description)] : []),
    acknowledged_at ? `Acknowledged: ${when(acknowledged_at, ctx.zone)}` : 'Not acknowledged',
    ...newest.map((update) => updateLine(update, ctx.zone)),
  ]
  return {
    ...{ outcome: 'answered', title, summary },
    markdown: [summary, bullets(facts)].join('\n'),
    records: [
      slotOf('incident', { id, name: title }),
      ...(incident.affected_items ?? []).map((item) => slotOf('item', item)),
    ],
  }
}

export const answerPastIncidents: Response = async (ctx, { item: found, from, to, topic }) => {
  if (found && !isRecord(found)) return whichRecord(found, 'item')
  const since = from ?? new Date(ctx.now.getTime() - PAST_DAYS * DAY_MS).toISOString()
  const of = found ? { item_id: String(found.id) } : {}
  const { incidents, total } =
    topic === 'end' ? await resolvedIn(ctx, since, to, of) : await startedIn(ctx, since, to, of)
  const span = spanWords(since, to, ctx.zone)
  const on = found ? ` on ${plain(found.name)}` : ''
  const what =
    topic === 'end' ? `incident${total === 1 ? ' was' : 's were'} resolved` : `incident${total === 1 ? '' : 's'}`
  const summary =
    total === 0 ? `No incident${topic === 'end' ? ' was resolved' : ''}${on}${span}.` : `${total} ${what}${on}${span}.`
  return {
    ...{ outcome: 'answered', title: 'Past incidents', summary },
    markdown: [summary, bullets(incidents.map((incident) => incidentLine(incident, ctx.zone)))]
      .filter(Boolean)
      .join('\n'),
    records: incidents.map(({ id, title }) => slotOf('incident', { id, name: title })),
  }
}

const startedIn = (ctx: ResponseContext, from: string, to: string | undefined, of: object) =>
  ctx.read(listIncidents, {
    input: { view: 'full', limit: String(MOST), started_after: from, ...(to ? { started_before: to } : {}), ...of },
  })

/** Of the newest resolved incidents. */
async function resolvedIn(ctx: ResponseContext, from: string, to: string | undefined, of: object) {
  const { incidents: all } = await ctx.read(listIncidents, {
    input: { view: 'full', state: 'resolved', limit: '100', ...of },
  })
  const isInside = (at: string) => at >= from && (to === undefined || at < to)
  const resolved = all.filter(({ resolved_at }) => resolved_at && isInside(resolved_at))
  return { incidents: resolved.slice(0, MOST), total: resolved.length }
}
