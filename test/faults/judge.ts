import type { Known } from './client.ts'
import type { Rows, ShownEvent, ShownIncident } from './facts.ts'
import { checkReminders, type IncidentFacts } from './model.ts'

export interface Evidence {
  known: Map<number, Known>
  incidents: ShownIncident[]
  events: ShownEvent[]
  rows: Rows
  running: Set<string>
  minuteMs: number
  /** What fell due before this must be there. */
  horizon: number
}

export interface Judgement {
  problems: string[]
  updates: number
  covered: number
  gathered: number
}

/** Holds what the client was promised against what the service has. */
export function judge(evidence: Evidence): Judgement {
  const { known, incidents, horizon } = evidence
  const problems: string[] = []
  const eventsOf = Map.groupBy(evidence.events, (event) => event.subject.id)
  const total = { updates: 0, covered: 0, gathered: 0 }
  for (const shown of incidents) {
    const incident = known.get(shown.id)
    if (!incident) {
      problems.push(`incident ${shown.id} (${shown.external_id}) was never acknowledged`)
      continue
    }
    const events = eventsOf.get(shown.id) ?? []
    const facts = factsOf(incident, shown, events, evidence.minuteMs)
    const verdict = checkReminders(facts, horizon)
    problems.push(...verdict.problems)
    const found = [...timeline(incident, shown), ...announcements(shown, events), ...process(shown, evidence)]
    problems.push(...found.map((text) => `incident ${shown.id}: ${text}`))
    total.updates += shown.updates.length
    total.covered += verdict.covered
    total.gathered += verdict.gathered
  }
  problems.push(...identities(evidence))
  return { problems, ...total }
}

function factsOf(incident: Known, shown: ShownIncident, events: ShownEvent[], minuteMs: number): IncidentFacts {
  let interval = incident.interval
  const inMs = () => interval && interval * minuteMs
  return {
    id: shown.id,
    reportedAt: Date.parse(shown.created_at),
    interval: inMs(),
    updates: shown.updates.map((update) => {
      const found = incident.updates.get(update.message)
      interval = found?.interval ?? interval
      return { at: Date.parse(update.created_at), interval: inMs(), resolves: update.is_resolution }
    }),
    reminders: events
      .filter((event) => event.key === 'incident.reminder')
      .map((event) => ({
        due: Date.parse(event.due_at),
        count: Math.max(event.missed, 1),
        createdAt: Date.parse(event.created_at),
      })),
  }
}

/** Every acknowledged update once and no other; versions and statuses that follow from one another. */
function* timeline(incident: Known, shown: ShownIncident): Generator<string> {
  const messages = shown.updates.map((update) => update.message)
  for (const [key, { id }] of incident.updates) {
    const found = shown.updates.filter((update) => update.message === key)
    if (found.length !== 1) yield `update ${key} is there ${found.length} times`
    else if (id !== undefined && found[0]!.id !== id)
      yield `update ${key} was acknowledged as ${id}, not ${found[0]!.id}`
  }
  for (const message of messages) if (!incident.updates.has(message)) yield `update ${message} was never acknowledged`
  if (shown.version !== shown.updates.length + 1) {
    yield `version ${shown.version} after ${shown.updates.length} updates`
  }
  yield* sequence(shown)
  const resolutions = shown.updates.filter((update) => update.is_resolution).length
  const expected = incident.resolvedAt === undefined ? 0 : 1
  if (resolutions !== expected) yield `${resolutions} resolutions where ${expected} was acknowledged`
  if ((shown.resolved_at !== null) !== (expected === 1)) yield `resolved_at is ${shown.resolved_at}`
}

/** Each update begins at the time and the status at which the update before it ended. */
function* sequence(shown: ShownIncident): Generator<string> {
  let status: string | undefined
  let at = shown.created_at
  for (const update of shown.updates) {
    if (update.created_at < at) yield `update ${update.id} is said to be from before the one that it follows`
    at = update.created_at
    if (status !== undefined && update.previous_status !== status) yield `update ${update.id} follows another status`
    status = update.status
  }
  if (status !== undefined && status !== shown.status)
    yield `the status is ${shown.status}, the timeline says ${status}`
}

/** One event for the report, one for each update; late ones say so, and none comes after the resolution. */
function* announcements(shown: ShownIncident, events: ShownEvent[]): Generator<string> {
  const of = (key: string) => events.filter((event) => event.key === key)
  const ids = (list: ShownEvent[]) => list.map((event) => event.data.update_id).sort()
  const updates = (resolution: boolean) =>
    shown.updates.filter((update) => update.is_resolution === resolution).map((update) => update.id)
  if (of('incident.created').length !== 1) yield `${of('incident.created').length} events name the report`
  if (`${ids(of('incident.updated'))}` !== `${updates(false).sort()}`) yield 'the events do not match the updates'
  if (`${ids(of('incident.resolved'))}` !== `${updates(true)}`) yield 'the events do not match the resolution'
  // Numbers are given under the incident's lock, so they say what came first, which moments of two clocks do not.
  const [resolved] = of('incident.resolved')
  for (const reminder of of('incident.reminder')) {
    if (reminder.late !== reminder.missed > 0)
      yield `reminder ${reminder.id} counts ${reminder.missed} and is late: ${reminder.late}`
    if (resolved && reminder.id > resolved.id) yield `reminder ${reminder.id} follows the resolution`
  }
}

/** The process is where the facts say, in PostgreSQL and in Temporal. */
function* process(shown: ShownIncident, { rows, running, horizon }: Evidence): Generator<string> {
  const row = rows.processes.find((one) => one.workflow_id === `incident:${shown.id}`)
  const runs = running.has(`incident:${shown.id}`)
  const over = shown.resolved_at !== null
  if (!row) yield 'has no process'
  else if ((row.state === 'done') !== over) yield `its process is ${row.state}`
  else if (row.until && row.until.getTime() < horizon) yield `its process still waits for ${row.until.toISOString()}`
  else if (!over && !row.until && shown.reminder_interval_minutes) yield 'its process waits for no moment'
  // A process with nothing due later has no workflow.
  const waits = !over && Boolean(row?.until)
  if (runs !== waits) yield runs ? 'its workflow runs on' : 'its workflow does not run'
  const last = shown.updates.at(-1)?.created_at ?? shown.created_at
  if (rows.remindersFrom.get(shown.id) !== Date.parse(last) && !over)
    yield 'its reminders do not count from the last update'
}

function* identities({ known, incidents, events }: Evidence): Generator<string> {
  const shown = new Set(incidents.map((incident) => incident.id))
  for (const { id, externalId } of known.values()) if (!shown.has(id)) yield `incident ${id} (${externalId}) is lost`
  if (new Set(incidents.map((incident) => incident.external_id)).size !== incidents.length) {
    yield 'an external id is there twice'
  }
  for (const event of events) {
    if (event.subject.kind !== 'incident' || !known.has(event.subject.id)) {
      yield `event ${event.id} is about ${event.subject.kind} ${event.subject.id}, which no client requested`
    }
  }
  const updates = [...known.values()].flatMap((incident) => [...incident.updates.values()].map((update) => update.id))
  const given = updates.filter((id) => id !== undefined)
  if (new Set(given).size !== given.length) yield 'two updates were acknowledged as one'
}
