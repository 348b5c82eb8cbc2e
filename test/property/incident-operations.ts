import { enter, type Incident, isResolved } from './model.ts'
import { ago, heldBy, INCIDENTS, type Picked, type Plan, refs, reportsPast, said, some } from './operation.ts'

/** What is done to an incident itself. */

export function create(picked: Picked): Plan {
  const { world, status } = picked
  const items = some(picked)
  const impacts = () => items.map((item) => ({ item, status: null, state: 'open' as const }))
  const started_at = reportsPast(picked) ? ago(world, picked.c) : undefined
  const body = { title: 'T', status: said(status), affected_items: refs(items), started_at }
  const made = { version: 1, title: 'T', status: said(status) ?? 'degraded', acknowledged: false, entries: [] }
  const done: Plan['done'] = ({ id }) => world.incidents.push({ ...made, id, impacts: impacts() })
  return { method: 'POST', path: INCIDENTS, body, expect: 201, done }
}

export function backfill(picked: Picked): Plan | undefined {
  const { world, status, a, c } = picked
  if (!world.rewrites) return undefined
  const statuses = [status, ...(a === 0 ? ['resolved'] : [])]
  const updates = statuses.map((next, index) => ({
    message: 'B',
    status: next,
    created_at: ago(world, 0.75 - index / 2),
  }))
  const items = some(picked)
  const done: Plan['done'] = ({ id, updates: entries }) => {
    const impacts = items.map((item) => ({ item, status: null, state: 'open' as const }))
    const made: Incident = { id, version: 1, title: 'B', status: 'degraded', acknowledged: false, entries: [], impacts }
    for (const [index, next] of statuses.entries()) enter(made, entries!.at(-1 - index)!.id, next)
    world.incidents.push({ ...made, version: 1 })
  }
  const body = { title: 'B', affected_items: refs(items), started_at: ago(world, c + 1), updates }
  return { method: 'POST', path: `${INCIDENTS}/backfill`, body, expect: 201, done }
}

export function update(incident: Incident, { status, flag, c }: Picked): Plan {
  const next = c % 5 === 0 ? 'resolved' : flag ? status : undefined
  const body = { message: 'M', status: next }
  const refused = next !== undefined && next !== 'resolved' && isResolved(incident)
  const done: Plan['done'] = ({ id }) => enter(incident, id, next ?? incident.status)
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/updates`, body, expect: refused ? 409 : 201, done }
}

export function change(incident: Incident, picked: Picked): Plan {
  const items = picked.c % 2 === 0 ? some(picked) : undefined
  const status = said(picked.status)
  const held = heldBy(incident)
  const affects = items !== undefined && (items.length !== held.length || items.some((one) => !held.includes(one)))
  const refused = isResolved(incident) && (affects || status !== undefined)
  const body = { title: 'Changed', status, affected_items: items && refs(items) }
  const moves = status !== undefined && status !== incident.status
  const done: Plan['done'] = ({ updates }) => {
    // Another status is an entry of the timeline, and raises the version with it.
    if (moves) enter(incident, updates![0]!.id, status)
    else if (affects || incident.title !== 'Changed') incident.version += 1
    incident.title = 'Changed'
    if (!affects) return
    const open = incident.impacts.filter((one) => one.state === 'open')
    for (const one of open) if (!items.includes(one.item)) one.state = 'ended'
    for (const item of items) {
      if (!open.some((one) => one.item === item)) incident.impacts.push({ item, status: null, state: 'open' })
    }
  }
  return { method: 'PATCH', path: `${INCIDENTS}/${incident.id}`, body, expect: refused ? 409 : 200, done }
}

/** Earlier than all that there is: later is refused for what stands on the timeline. */
export function moveStart(incident: Incident, { world, c }: Picked): Plan | undefined {
  if (!world.rewrites) return undefined
  const done = () => {
    incident.version += 1
  }
  // Never the same moment twice.
  const body = { started_at: ago(world, 1000 + c / 100) }
  return { method: 'PATCH', path: `${INCIDENTS}/${incident.id}`, body, expect: 200, done }
}

/** A resolution of the past is refused before the latest entry of the timeline. */
export async function resolve(incident: Incident, picked: Picked): Promise<Plan> {
  const { world, read, flag, c } = picked
  const path = `${INCIDENTS}/${incident.id}`
  const resolved_at = reportsPast(picked) ? ago(world, flag ? 0.5 : c) : undefined
  const { started_at, updates } = await read(path)
  const entries = [started_at, ...updates.map((update: { created_at: string }) => update.created_at)]
  const resolved = isResolved(incident)
  const refused = !resolved && resolved_at && entries.some((moment) => new Date(moment) > resolved_at)
  const done: Plan['done'] = ({ updates }) => resolved || enter(incident, updates![0]!.id, 'resolved')
  return { method: 'POST', path: `${path}/resolve`, body: { resolved_at }, expect: refused ? 400 : 200, done }
}

export function reopen(incident: Incident, { status, flag }: Picked): Plan {
  const before = incident.entries.findLast((entry) => entry.is_resolution)?.previous_status
  const done: Plan['done'] = ({ updates }) => {
    if (isResolved(incident)) enter(incident, updates![0]!.id, flag ? status : before!)
  }
  const body = flag ? { status } : {}
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/reopen`, body, expect: 200, done }
}

export function acknowledge(incident: Incident): Plan {
  const done = () => {
    if (!incident.acknowledged) incident.version += 1
    incident.acknowledged = true
  }
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/acknowledge`, expect: 200, done }
}

export function deleteIncident(incident: Incident, { world }: Picked): Plan {
  const done = () => void world.incidents.splice(world.incidents.indexOf(incident), 1)
  return { method: 'DELETE', path: `${INCIDENTS}/${incident.id}`, expect: 200, done }
}
