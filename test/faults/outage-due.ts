import { checkReminders } from './model.ts'
import type { EntryRow, NotificationRow, OutageRows } from './outage-rows.ts'
import type { Outage, Plan } from './outage-setup.ts'

/** Whether the work that fell due was done once and has the right notifications, without any of the service's own code. */

/** A delay below the one is no lateness, and one above the other is; what lies between is the service's to say. */
const PUNCTUAL_MS = 500
const LATE_MS = 2000

const iso = (moment: number) => new Date(moment).toISOString()

/** What is late says so, and nothing else does. */
function* lateness(what: string, { due, at, late }: { due: number; at: number; late: boolean }): Generator<string> {
  if (at < due) yield `${what} was done at ${iso(at)}, before it was due at ${iso(due)}`
  if (late ? at - due < PUNCTUAL_MS : at - due > LATE_MS)
    yield `${what} came ${at - due} ms after it was due, late: ${late}`
}

/** Each window started once and was completed once, in this order; the plan is kept, and the notifications are the same. */
export function* windowProblems(plans: Plan[], rows: Pick<OutageRows, 'entries' | 'windows' | 'notifications'>) {
  for (const { id, start, end } of plans) {
    const entries = rows.entries.filter(({ maintenance_id }) => maintenance_id === id)
    const statuses = ['scheduled', ...entries.map(({ status }) => status)]
    if (`${statuses}` !== 'scheduled,in_progress,completed') {
      yield `window ${id} went ${statuses.join(', ')}`
      continue
    }
    const row = rows.windows.find((window) => window.id === id)
    const notifications = rows.notifications.filter(
      ({ kind, subject_id }) => kind === 'maintenance' && subject_id === id,
    )
    const [started, completed] = entries as [EntryRow, EntryRow]
    if (started.at > completed.at) yield `window ${id} was completed before it started`
    if (row?.started !== started.at || row.ended !== completed.at) yield `window ${id} and its entries differ`
    yield* entryProblems(started, { due: start, before: 'scheduled', notifications, key: 'maintenance.started' })
    yield* entryProblems(completed, { due: end, before: 'in_progress', notifications, key: 'maintenance.completed' })
  }
}

type Wanted = { due: number; before: string; notifications: NotificationRow[]; key: string }

function* entryProblems(entry: EntryRow, { due, before, notifications, key }: Wanted): Generator<string> {
  const { maintenance_id, status, at, late } = entry
  const what = `window ${maintenance_id}: ${status}`
  if (entry.due !== due) yield `${what} says that it was due at ${entry.due && iso(entry.due)}, not ${iso(due)}`
  if (entry.previous_status !== before) yield `${what} follows ${entry.previous_status}`
  yield* lateness(what, { due, at, late })
  const events = notifications.filter((event) => event.key === key)
  const same = events.every((event) => event.at === at && event.due === due && event.late === late)
  if (events.length !== 1 || !same) yield `${what} has ${events.length} notifications, or another one`
}

interface Reminded {
  ids: number[]
  intervalMs: number
  outage: Outage
  horizon: number
}

/** Every due moment has one reminder, and those of the outage share one that is late and says for how many it stands. */
export function* reminderProblems(
  rows: Pick<OutageRows, 'notifications' | 'incidents' | 'updates'>,
  { ids, intervalMs: interval, outage, horizon }: Reminded,
): Generator<string> {
  for (const { id, at: reportedAt } of rows.incidents.filter((incident) => ids.includes(incident.id))) {
    const reminders = remindersOf(rows.notifications, id)
    const updates = rows.updates.filter((update) => update.incident_id === id)
    const facts = { id, reportedAt, interval, updates: updates.map((update) => ({ ...update, interval })) }
    const counted = reminders.map(({ due, at, missed }) => ({ due, createdAt: at, count: Math.max(missed, 1) }))
    yield* checkReminders({ ...facts, reminders: counted }, horizon).problems
    for (const reminder of reminders) {
      const { due, at, late, missed } = reminder
      const what = `incident ${id}: the reminder of ${iso(due)}`
      const count = Math.floor((at - due) / interval) + 1
      if (late !== missed > 0) yield `${what} counts ${missed} and is late: ${late}`
      if (Math.max(missed, 1) !== count) yield `${what} counts ${missed}, where ${count} had come by ${iso(at)}`
      yield* lateness(what, reminder)
    }
    const gathered = reminders.filter(({ due, at }) => due < outage.until && at > outage.from)
    if (gathered.length !== 1) yield `incident ${id}: ${gathered.length} reminders stand for the outage`
  }
}

export const remindersOf = (notifications: NotificationRow[], id: number) =>
  notifications.filter(({ key, subject_id }) => key === 'incident.reminder' && subject_id === id)

interface Silence {
  /** When each heartbeat was called last. */
  since: Map<number, number>
  /** The incidents that a client reported. */
  reported: Set<number>
}

/** Heartbeats were well until they were called no more, and each has opened one incident then. */
export function* heartbeatProblems(rows: Pick<OutageRows, 'stages' | 'incidents'>, { since, reported }: Silence) {
  for (const [id, last] of since) {
    const stages = rows.stages.filter(({ beat_id }) => beat_id === id)
    const course = stages.map(({ stage }) => stage).join(', ')
    if (course !== 'healthy, critical') yield `heartbeat ${id} went ${course}`
    for (const { at } of stages.filter(({ stage, at }) => stage === 'critical' && at < last))
      yield `heartbeat ${id} was missed at ${iso(at)}, and the API could not take its calls`
  }
  const opened = rows.incidents.filter(({ id }) => !reported.has(id))
  if (opened.length !== since.size) yield `${since.size} heartbeats have opened ${opened.length} incidents`
  for (const { id, at } of opened)
    if (at < Math.min(...since.values())) yield `incident ${id} was opened for a heartbeat at ${iso(at)}`
}
