import type { ProcessKind } from '../../../../workflows/processes.ts'
import { getIncident } from '../../incidents/read.ts'
import { Problem } from '../../kernel/errors.ts'
import { listNotifications } from '../../notifications/operations.ts'
import { getWorkflow, getWorkflowHistory } from '../../processes/operations.ts'
import type { RecordSlot, Slots } from '../language/types.ts'
import { listNotesAround } from '../process-notes.ts'
import type { Response, ResponseContext } from '../response-types.ts'
import { whichRecord } from './refusals.ts'
import { bullets, isRecord, named, plain, when, words } from './text.ts'

const kinds: Partial<Record<RecordSlot['kind'], ProcessKind>> = {
  incident: 'incident',
  maintenance: 'maintenance',
  series: 'series',
  beat: 'beat',
  beat_group: 'beat-group',
  item: 'item',
}

/** Why something happened or did not: what the process of the record did, what it waits for, and its notifications. */
export const answerExplain: Response = async (ctx, slots) => {
  const found = slots.incident ?? slots.maintenance ?? slots.series ?? slots.beat ?? slots.item
  if (!found) return aroundMoment(ctx, slots)
  if (!isRecord(found)) return whichRecord(found, found.kind)
  const workflow_id = `${kinds[found.kind] ?? found.kind}:${found.id}`
  const process = await processOf(ctx, workflow_id)
  const about = `${words[found.kind]} ${named(found.name, found.id)}`
  const facts = [...(await settingsOf(ctx, found, slots.topic)), ...(await notificationsOf(ctx, found, slots.topic))]
  const summary = process
    ? `The process of the ${about} ${process.state === 'done' ? 'is done' : `waits for ${plain(process.waiting_for ?? 'its next step')}`}.`
    : `The ${about} has no process: nothing is due.`
  const notes = process ? await notesOf(ctx, workflow_id, slots.at) : []
  return {
    ...{ outcome: 'answered', title: `Why: ${found.name}`, summary },
    markdown: [summary, bullets([...facts, ...notes])].filter(Boolean).join('\n'),
    records: [found],
  }
}

async function processOf(ctx: ResponseContext, workflow_id: string) {
  try {
    return await ctx.read(getWorkflow, { input: { workflow_id } })
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

const NEAR_MS = 30 * 60 * 1000
const NOTES = 8

/** The newest notes, or those around a moment, oldest first. */
async function notesOf(ctx: ResponseContext, workflow_id: string, at: string | undefined): Promise<string[]> {
  const { events } = await ctx.read(getWorkflowHistory, { input: { workflow_id, limit: '100' } })
  const near = at ? events.filter((one) => Math.abs(Date.parse(one.at) - Date.parse(at)) < NEAR_MS) : events
  const lines = near.slice(0, NOTES).map((one) => `${when(one.at, ctx.zone)}: ${plain(one.message)}`)
  return at && lines.length === 0 ? [`Nothing happened around ${when(at, ctx.zone)}.`] : lines.reverse()
}

/** The settings that decide whether the process does what the question is about. */
async function settingsOf(ctx: ResponseContext, { kind, id }: RecordSlot, topic: Slots['topic']): Promise<string[]> {
  if (kind !== 'incident' || topic !== 'reminder') return []
  const { reminder_interval_minutes, resolved_at } = await ctx.read(getIncident, { ref: { id } })
  if (resolved_at)
    return [`A resolved incident has no reminders; the incident was resolved ${when(resolved_at, ctx.zone)}.`]
  return reminder_interval_minutes
    ? [`The reminder interval is ${reminder_interval_minutes} minutes, counted from the last update.`]
    : ['The incident has no reminder interval (reminder_interval_minutes), so no reminder is due.']
}

async function notificationsOf(
  ctx: ResponseContext,
  { kind, id }: RecordSlot,
  topic: Slots['topic'],
): Promise<string[]> {
  if (topic !== 'reminder' && topic !== 'notification') return []
  if (kind !== 'incident' && kind !== 'maintenance') return []
  const { notifications } = await ctx.read(listNotifications, { input: { subject: `${kind}:${id}`, limit: '20' } })
  const ofTopic = notifications.filter(({ key }) => topic !== 'reminder' || key.endsWith('reminder')).slice(0, 5)
  if (ofTopic.length === 0) return [`No ${topic} was written.`]
  return ofTopic.map(({ key, due_at, late, missed, state }) => {
    const lateness = late ? `, late${missed > 0 ? `, for ${missed} due moments` : ''}` : ''
    return `${key}: due ${when(due_at, ctx.zone)}${lateness}, ${state}`
  })
}

/** What all processes did around a moment. */
async function aroundMoment(ctx: ResponseContext, { at }: Slots) {
  if (!at) return whichRecord(undefined, 'incident')
  const { notes, next } = await ctx.read(listNotesAround, { input: { at } })
  const summary =
    notes.length === 0
      ? `No process did anything around ${when(at, ctx.zone)}: nothing was due.`
      : `Around ${when(at, ctx.zone)} the processes did this:`
  const lines = notes.map((one) => `${when(one.at, ctx.zone)}, ${one.workflow_id}: ${plain(one.message)}`)
  const due = next.map(
    ({ workflow_id, waiting_for, until }) =>
      `Next: ${workflow_id} waits for ${plain(waiting_for)}, ${when(until, ctx.zone)}`,
  )
  return {
    ...{ outcome: 'answered' as const, title: 'What happened', summary },
    markdown: [summary, bullets([...lines, ...due])].filter(Boolean).join('\n'),
    records: [],
  }
}
