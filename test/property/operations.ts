import {
  depthOf,
  enter,
  type Incident,
  type Item,
  isResolved,
  isTurn,
  mayStand,
  reword,
  type Status,
  type World,
} from './model.ts'

/** One thing to do, in numbers that say which of what there is. */
export interface Step {
  kind: keyof typeof operations
  a: number
  b: number
  c: number
  status: Status
  flag: boolean
}

export interface Plan {
  method: string
  path: string
  body?: object
  /** The status of the answer. */
  expect: number
  /** What becomes of the model once it is done. */
  then?(body: { id: number; updates?: { id: number }[] }): void
}

interface Picked extends Step {
  world: World
  incident?: Incident
  item: Item
  other: Item
}

const INCIDENTS = '/admin/incidents'
const pick = <T>(list: T[], n: number): T | undefined => list[n % Math.max(1, list.length)]
const refs = (items: Item[]) => items.map(({ id }) => ({ id }))
/** The mildest says nothing: the operation decides. */
const said = (status: Status) => (status === 'operational' ? undefined : status)
const ago = (world: World, seconds: number) => new Date(world.now.getTime() - seconds * 1000)
const tellsPast = ({ world, a }: Picked) => world.rewrites && a === 0
const some = ({ item, other, flag }: Picked) => [...new Set(flag ? [item, other] : [item])]

type Operation = (picked: Picked) => Plan | undefined
/** On an incident, if there is one. */
const on =
  (operation: (incident: Incident, picked: Picked) => Plan | undefined): Operation =>
  (picked) =>
    picked.incident && operation(picked.incident, picked)

function create(picked: Picked): Plan {
  const { world, status } = picked
  const items = some(picked)
  const impacts = () => items.map((item) => ({ item, status: null, state: 'open' as const }))
  const started_at = tellsPast(picked) ? ago(world, picked.c) : undefined
  const body = { title: 'T', status: said(status), affected_items: refs(items), started_at }
  const made = { version: 1, status: said(status) ?? 'degraded', acknowledged: false, entries: [] }
  const then: Plan['then'] = ({ id }) => world.incidents.push({ ...made, id, impacts: impacts() })
  return { method: 'POST', path: INCIDENTS, body, expect: 201, then }
}

function backfill(picked: Picked): Plan | undefined {
  const { world, status, a, c } = picked
  if (!world.rewrites) return undefined
  const statuses = [status, ...(a === 0 ? ['resolved'] : [])]
  const updates = statuses.map((next, index) => ({
    message: 'B',
    status: next,
    created_at: ago(world, 0.75 - index / 2),
  }))
  const items = some(picked)
  const then: Plan['then'] = ({ id, updates: told }) => {
    const impacts = items.map((item) => ({ item, status: null, state: 'open' as const }))
    const made: Incident = { id, version: 1, status: 'degraded', acknowledged: false, entries: [], impacts }
    for (const [index, next] of statuses.entries()) enter(made, told!.at(-1 - index)!.id, next)
    world.incidents.push({ ...made, version: 1 })
  }
  const body = { title: 'B', affected_items: refs(items), started_at: ago(world, c + 1), updates }
  return { method: 'POST', path: `${INCIDENTS}/backfill`, body, expect: 201, then }
}

function update(incident: Incident, { status, flag, c }: Picked): Plan {
  const next = c % 5 === 0 ? 'resolved' : flag ? status : undefined
  const body = { message: 'M', status: next }
  const refused = next !== undefined && next !== 'resolved' && isResolved(incident)
  const then: Plan['then'] = ({ id }) => enter(incident, id, next ?? incident.status)
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/updates`, body, expect: refused ? 409 : 201, then }
}

function change(incident: Incident, picked: Picked): Plan {
  const items = picked.c % 2 === 0 ? some(picked) : undefined
  const status = said(picked.status)
  const refused = isResolved(incident) && (items !== undefined || status !== undefined)
  const body = { title: 'Changed', status, affected_items: items && refs(items) }
  const then = () => {
    incident.version += 1
    if (status) incident.status = status
    if (!items) return
    const open = incident.impacts.filter((one) => one.state === 'open')
    for (const one of open) if (!items.includes(one.item)) one.state = 'ended'
    for (const item of items) {
      if (!open.some((one) => one.item === item)) incident.impacts.push({ item, status: null, state: 'open' })
    }
  }
  return { method: 'PATCH', path: `${INCIDENTS}/${incident.id}`, body, expect: refused ? 409 : 200, then }
}

/** Earlier than all that there is: later is refused for what stands on the timeline. */
function moveStart(incident: Incident, { world, c }: Picked): Plan | undefined {
  if (!world.rewrites) return undefined
  const then = () => {
    incident.version += 1
  }
  const body = { started_at: ago(world, 1000 + c) }
  return { method: 'PATCH', path: `${INCIDENTS}/${incident.id}`, body, expect: 200, then }
}

function resolve(incident: Incident, picked: Picked): Plan {
  const resolved = isResolved(incident)
  const then: Plan['then'] = ({ updates }) => resolved || enter(incident, updates![0]!.id, 'resolved')
  const body = tellsPast(picked) ? { resolved_at: ago(picked.world, 0.5) } : {}
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/resolve`, body, expect: 200, then }
}

function reopen(incident: Incident, { status, flag }: Picked): Plan {
  const before = incident.entries.findLast((entry) => entry.is_resolution)?.previous_status
  const then: Plan['then'] = ({ updates }) => {
    if (isResolved(incident)) enter(incident, updates![0]!.id, flag ? status : before!)
  }
  const body = flag ? { status } : {}
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/reopen`, body, expect: 200, then }
}

function acknowledge(incident: Incident): Plan {
  const then = () => {
    if (!incident.acknowledged) incident.version += 1
    incident.acknowledged = true
  }
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/acknowledge`, expect: 200, then }
}

const openImpact = (incident: Incident, item: Item) =>
  incident.impacts.find((one) => one.item === item && one.state === 'open')

function addImpact(incident: Incident, picked: Picked): Plan {
  const { world, item, status, c } = picked
  const refused = isResolved(incident) || openImpact(incident, item)
  const then = () => {
    incident.impacts.push({ item, status: said(status) ?? null, state: 'open' })
    incident.version += 1
  }
  const start_time = tellsPast(picked) ? ago(world, c) : undefined
  const body = { item_id: item.id, status: said(status), start_time }
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/impacts`, body, expect: refused ? 409 : 201, then }
}

function addPastImpact(incident: Incident, { world, item }: Picked): Plan | undefined {
  if (!world.rewrites) return undefined
  const [start_time, end_time] = [ago(world, 1.5), ago(world, 0.5)]
  const then = () => {
    incident.impacts.push({ item, status: null, state: 'ended' })
    incident.version += 1
  }
  const body = { item_id: item.id, start_time, end_time }
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/impacts`, body, expect: 201, then }
}

function changeImpact(incident: Incident, { item, status, flag }: Picked): Plan {
  const impact = openImpact(incident, item)
  const then = () => {
    if (flag) impact!.status = said(status) ?? null
    else impact!.state = 'ended'
    incident.version += 1
  }
  const path = `${INCIDENTS}/${incident.id}/impacts/${item.id}`
  const request = flag ? { method: 'PATCH', body: { status: said(status) ?? null } } : { method: 'DELETE' }
  return { ...request, path, expect: impact ? 200 : 404, then }
}

function editEntry(incident: Incident, { status, c, flag }: Picked): Plan | undefined {
  const entry = pick(incident.entries, c)
  if (!entry) return undefined
  const next = flag ? undefined : status
  const then = () => {
    reword(incident, entry, next ?? entry.status)
    entry.status = next ?? entry.status
  }
  const refused = next !== undefined && entry.status === 'resolved'
  const path = `${INCIDENTS}/${incident.id}/updates/${entry.id}`
  return { method: 'PATCH', path, body: { message: 'E', status: next }, expect: refused ? 409 : 200, then }
}

function deleteEntry(incident: Incident, { c }: Picked): Plan | undefined {
  const entry = pick(incident.entries, c)
  if (!entry) return undefined
  const then = () => {
    reword(incident, entry, entry.previous_status)
    incident.entries.splice(incident.entries.indexOf(entry), 1)
  }
  const path = `${INCIDENTS}/${incident.id}/updates/${entry.id}`
  return { method: 'DELETE', path, expect: isTurn(entry) ? 409 : 200, then }
}

function deleteIncident(incident: Incident, { world }: Picked): Plan {
  const then = () => void world.incidents.splice(world.incidents.indexOf(incident), 1)
  return { method: 'DELETE', path: `${INCIDENTS}/${incident.id}`, expect: 200, then }
}

const ITEMS = '/admin/hierarchy/items'

function override({ item, status, flag }: Picked): Plan {
  const then = () => {
    item.override = flag ? status : undefined
  }
  const request = flag ? { method: 'PUT', body: { status, reason: 'R' } } : { method: 'DELETE' }
  return { ...request, path: `${ITEMS}/${item.id}/status`, expect: 200, then }
}

function move({ world, item, other, flag }: Picked): Plan {
  const parent = flag ? other : null
  const then = () => {
    item.parent = parent
  }
  const body = { depth: parent ? depthOf(parent) + 1 : 1, parent_id: parent?.id ?? null }
  const expect = mayStand(world, item, parent) ? 200 : 400
  return { method: 'POST', path: `${ITEMS}/${item.id}/move`, body, expect, then }
}

function deleteItem({ world, item }: Picked): Plan | undefined {
  if (world.items.length < 3) return undefined
  const spoken = world.incidents.some(({ impacts }) => impacts.some((one) => one.item === item))
  const used = spoken || world.items.some((one) => one.parent === item) || item.past.length > 1
  // It may have been told of a past that nothing else speaks of any more.
  if (!used && world.rewrites) return undefined
  const then = () => void world.items.splice(world.items.indexOf(item), 1)
  return { method: 'DELETE', path: `${ITEMS}/${item.id}`, expect: used ? 409 : 200, then }
}

export const operations = {
  create,
  backfill,
  update: on(update),
  change: on(change),
  moveStart: on(moveStart),
  resolve: on(resolve),
  reopen: on(reopen),
  acknowledge: on(acknowledge),
  addImpact: on(addImpact),
  addPastImpact: on(addPastImpact),
  changeImpact: on(changeImpact),
  editEntry: on(editEntry),
  deleteEntry: on(deleteEntry),
  deleteIncident: on(deleteIncident),
  override,
  move,
  deleteItem,
} satisfies Record<string, Operation>

export function planOf(world: World, step: Step): Plan | undefined {
  const [item, other] = [pick(world.items, step.b)!, pick(world.items, step.c)!]
  return operations[step.kind]({ ...step, world, incident: pick(world.incidents, step.a), item, other })
}
