import { type Incident, type Item, isResolved, type Status, type World } from './model.ts'

/** One thing to do, in numbers that say which of what there is. */
export interface Step<K extends string = string> {
  kind: K
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
  done?(body: { id: number; updates?: { id: number }[] }): void
}

export interface Picked extends Step {
  world: World
  incident?: Incident
  /** Two that are not in the archive, and one that is. */
  item: Item
  other: Item
  archived?: Item
  // biome-ignore lint/suspicious/noExplicitAny: what the service answers, for what the model does not know.
  read(path: string): Promise<any>
}

export type Operation = (picked: Picked) => Plan | undefined | Promise<Plan | undefined>

/** On an incident, if there is one. */
export const on =
  (operation: (incident: Incident, picked: Picked) => ReturnType<Operation>): Operation =>
  (picked) =>
    picked.incident && operation(picked.incident, picked)

export const INCIDENTS = '/admin/incidents'
export const ITEMS = '/admin/hierarchy/items'

export const pick = <T>(list: T[], n: number): T | undefined => list[n % Math.max(1, list.length)]
export const refs = (items: Item[]) => items.map(({ id }) => ({ id }))
/** The mildest says nothing: the operation decides. */
export const said = (status: Status) => (status === 'operational' ? undefined : status)
export const ago = (world: World, seconds: number) => new Date(world.now.getTime() - seconds * 1000)
export const reportsPast = ({ world, a }: Picked) => world.rewrites && a === 0
export const some = ({ item, other, flag }: Picked) => [...new Set(flag ? [item, other] : [item])]

/** What an incident holds down, or held down until it was resolved. */
export const heldBy = (incident: Incident) => {
  const state = isResolved(incident) ? 'resolved' : 'open'
  return [...new Set(incident.impacts.filter((one) => one.state === state).map(({ item }) => item))]
}
