import { listBeats } from '../../beats/operations/read-beats.ts'
import { listTransitions } from '../../beats/results/transitions.ts'
import { listIncidents } from '../../incidents/read.ts'
import { mayDo } from '../../kernel/permissions.ts'
import { counted } from '../../kernel/text-rules.ts'
import { listMaintenances } from '../../maintenances/read.ts'
import type { Response, ResponseContext } from '../response-types.ts'
import { whichRecord } from './refusals.ts'
import { bullets, inWords, isRecord, named, plain, slotOf, when } from './text.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MOST = 25

interface Change {
  at: string
  text: string
}

interface Span {
  from: string
  to: string
  item_id?: string
}

/** What changed in a span of time: timelines of incidents and maintenances, and stages of beats. */
export const answerChanges: Response = async (ctx, { item: found, from, to }) => {
  if (found && !isRecord(found)) return whichRecord(found, 'item')
  const span = {
    from: from ?? new Date(ctx.now.getTime() - DAY_MS).toISOString(),
    to: to ?? ctx.now.toISOString(),
    ...(found ? { item_id: String(found.id) } : {}),
  }
  const incidents = await incidentChanges(ctx, span)
  const all = [...incidents.changes, ...(await maintenanceChanges(ctx, span)), ...(await stageChanges(ctx, span))]
  const changes = all.filter(({ at }) => at >= span.from && at <= span.to).sort((a, b) => (a.at < b.at ? 1 : -1))
  const since = `since ${when(span.from, ctx.zone)}${to ? ` until ${when(to, ctx.zone)}` : ''}`
  const summary = changes.length === 0 ? `Nothing changed ${since}.` : `${counted(changes.length, 'change')} ${since}.`
  return {
    ...{ outcome: 'answered', title: 'What changed', summary },
    markdown: [summary, bullets(changes.slice(0, MOST).map(({ at, text }) => `${when(at, ctx.zone)}: ${text}`))]
      .filter(Boolean)
      .join('\n'),
    records: incidents.records,
  }
}

async function incidentChanges(ctx: ResponseContext, { item_id }: Span) {
  const { incidents } = await ctx.read(listIncidents, {
    input: { view: 'full', limit: '50', ...(item_id ? { item_id } : {}) },
  })
  const changes = incidents.flatMap(({ id, title, updates = [], started_at }) => [
    { at: started_at ?? '', text: `Incident ${named(title, id)} started` },
    ...updates.map(({ created_at, status, message }) => ({
      at: created_at ?? '',
      text: `Incident ${named(title, id)}: ${inWords(status)}, ${plain(message)}`,
    })),
  ])
  return { changes, records: incidents.slice(0, 5).map(({ id, title }) => slotOf('incident', { id, name: title })) }
}

async function maintenanceChanges(ctx: ResponseContext, { item_id }: Span): Promise<Change[]> {
  const { maintenances } = await ctx.read(listMaintenances, {
    input: { view: 'full', limit: '50', ...(item_id ? { item_id } : {}) },
  })
  return maintenances.flatMap(({ id, title, created_at, updates = [] }) => [
    { at: created_at ?? '', text: `Maintenance ${named(title, id)} was planned` },
    ...updates.map((update) => ({
      at: update.created_at ?? '',
      text: `Maintenance ${named(title, id)}: ${inWords(update.status)}, ${plain(update.message)}`,
    })),
  ])
}

/** Of the beats that changed within the span; their newest transitions only. */
async function stageChanges(ctx: ResponseContext, { from, item_id }: Span): Promise<Change[]> {
  if (ctx.actor.kind === 'anonymous' || !mayDo(ctx.actor, 'beats', 'read')) return []
  const { beats } = await ctx.read(listBeats, {
    input: { view: 'full', limit: '100', ...(item_id ? { item_id } : {}) },
  })
  const changed = beats.filter(({ last_state_changed_at }) => (last_state_changed_at ?? '') >= from).slice(0, 10)
  const changes: Change[] = []
  for (const { id, name } of changed) {
    const { transitions } = await ctx.read(listTransitions, { ref: { id }, input: { limit: '10' } })
    for (const { at, from_stage, to_stage, evidence } of transitions) {
      changes.push({
        at,
        text: `Beat ${named(name, id)}: ${from_stage ?? 'unknown'} to ${to_stage}, ${plain(evidence)}`,
      })
    }
  }
  return changes
}
