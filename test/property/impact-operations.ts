import { type Incident, type Item, isResolved, isTurn, reword } from './model.ts'
import { ago, INCIDENTS, type Picked, type Plan, pick, reportsPast, said } from './operation.ts'

/** What is done to what an incident holds down, and to what its timeline says. */

const openImpact = (incident: Incident, item: Item) =>
  incident.impacts.find((one) => one.item === item && one.state === 'open')

export function addImpact(incident: Incident, picked: Picked): Plan {
  const { world, item, status, c } = picked
  const refused = isResolved(incident) || openImpact(incident, item)
  const done = () => {
    incident.impacts.push({ item, status: said(status) ?? null, state: 'open' })
    incident.version += 1
  }
  const start_time = reportsPast(picked) ? ago(world, c) : undefined
  const body = { item_id: item.id, status: said(status), start_time }
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/impacts`, body, expect: refused ? 409 : 201, done }
}

export function addPastImpact(incident: Incident, { world, item }: Picked): Plan | undefined {
  if (!world.rewrites) return undefined
  const [start_time, end_time] = [ago(world, 1.5), ago(world, 0.5)]
  const done = () => {
    incident.impacts.push({ item, status: null, state: 'ended' })
    incident.version += 1
  }
  const body = { item_id: item.id, start_time, end_time }
  return { method: 'POST', path: `${INCIDENTS}/${incident.id}/impacts`, body, expect: 201, done }
}

export function changeImpact(incident: Incident, { item, status, flag }: Picked): Plan {
  const impact = openImpact(incident, item)
  const done = () => {
    const next = said(status) ?? null
    if (flag && impact!.status === next) return
    if (flag) impact!.status = next
    else impact!.state = 'ended'
    incident.version += 1
  }
  const path = `${INCIDENTS}/${incident.id}/impacts/${item.id}`
  const request = flag ? { method: 'PATCH', body: { status: said(status) ?? null } } : { method: 'DELETE' }
  return { ...request, path, expect: impact ? 200 : 404, done }
}

export function editEntry(incident: Incident, { status, c, flag, b }: Picked): Plan | undefined {
  const entry = pick(incident.entries, c)
  if (!entry) return undefined
  const next = flag ? undefined : status
  const message = `E${b % 2}`
  const done = () => {
    if (entry.message === message && (next ?? entry.status) === entry.status) return
    reword(incident, entry, next ?? entry.status)
    Object.assign(entry, { message, status: next ?? entry.status })
  }
  const refused = next !== undefined && entry.status === 'resolved'
  const path = `${INCIDENTS}/${incident.id}/updates/${entry.id}`
  return { method: 'PATCH', path, body: { message, status: next }, expect: refused ? 409 : 200, done }
}

export function deleteEntry(incident: Incident, { c }: Picked): Plan | undefined {
  const entry = pick(incident.entries, c)
  if (!entry) return undefined
  const done = () => {
    reword(incident, entry, entry.previous_status)
    incident.entries.splice(incident.entries.indexOf(entry), 1)
  }
  const path = `${INCIDENTS}/${incident.id}/updates/${entry.id}`
  return { method: 'DELETE', path, expect: isTurn(entry) ? 409 : 200, done }
}
