import type { Caller } from '../support/caller.ts'

/** What there is when the outage begins. */

const SECOND = 1000

/** From when until when the database is away. */
export interface Outage {
  from: number
  until: number
}

/** A window as it was asked for. */
export interface Plan {
  id: number
  start: number
  end: number
}

export interface Items {
  /** Only its children give it a status. */
  parent: number
  children: number[]
  /** Windows are planned for these and for the children. */
  both: number[]
  /** Incidents affect these and `both`. */
  ill: number[]
}

/** Made in the way of the API, or not at all. */
export async function make(admin: Caller, path: string, body: object) {
  const answer = await admin.post(path, body)
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

export async function makeItems(admin: Caller): Promise<Items> {
  const item = async (name: string, parent_id?: number): Promise<number> =>
    (await make(admin, '/admin/hierarchy/items', { name, ...(parent_id ? { parent_id } : { depth: 1 }) })).id
  const parent = await item('Shop')
  const children = []
  for (const name of ['Cart', 'Search', 'Accounts', 'Mail']) children.push(await item(name, parent))
  return {
    ...{ parent, children },
    both: [await item('Payments'), await item('Invoices')],
    ill: [await item('Reports'), await item('Exports')],
  }
}

/** Incidents that remind each minute, in the order of the items that they affect. */
export async function makeIncidents(admin: Caller, { both, ill }: Items, count: number): Promise<number[]> {
  const affected = [...both, ...ill]
  const ids = []
  for (let index = 0; index < count; index += 1) {
    const items = [{ id: affected[index % affected.length] }]
    const body = { title: `Incident ${index}`, reminder_interval_minutes: 1, affected_items: items }
    ids.push((await make(admin, '/admin/incidents', body)).id)
  }
  return ids
}

type Moment = (outage: Outage) => number
const before =
  (seconds: number): Moment =>
  ({ from }) =>
    from - seconds * SECOND
const during =
  (share: number): Moment =>
  ({ from, until }) =>
    Math.round(from + share * (until - from))
const after =
  (seconds: number): Moment =>
  ({ until }) =>
    until + seconds * SECOND

type Window = [start: Moment, end: Moment]
const inside: Window[] = [
  [during(0.1), during(0.3)],
  // One begins when the other ends.
  [during(0.3), during(0.5)],
  [during(0.6), during(0.8)],
]
const into: Window[] = [
  [before(4), during(0.2)],
  [before(3), during(0.7)],
]
/** A process that tries again may pause for half a minute: one ends before it has looked, the other after that. */
const outOf: Window[] = [
  [during(0.4), after(5)],
  [during(0.5), after(45)],
]

/** Windows that start and end by themselves. What came first of those of one item is known by their times alone. */
export async function planWindows(admin: Caller, { children, both }: Items, outage: Outage): Promise<Plan[]> {
  const mixtures = [inside, [into[0]!, outOf[1]!], [...into, ...inside], [...outOf, ...inside]]
  const all = [...into, ...inside, ...outOf]
  const wanted = [...children, ...both].flatMap((item, index) =>
    (mixtures[index] ?? all).map(([start, end]) => ({ item, start: start(outage), end: end(outage) })),
  )
  const plans = []
  for (const { item, start, end } of wanted) {
    const { id } = await make(admin, '/admin/maintenances', {
      ...{ title: 'Upgrade', affected_items: [{ id: item }], auto_transition_enabled: true },
      scheduled_start_time: new Date(start).toISOString(),
      scheduled_end_time: new Date(end).toISOString(),
    })
    plans.push({ id, start, end })
  }
  return plans
}
