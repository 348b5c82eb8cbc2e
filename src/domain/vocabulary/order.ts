import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'

interface Ordered {
  id: number
  display_order: number
  version: number
  updated_at: Date
}

/** Tracks the versions of a list. The returned function marks the request as without effect if no version changed. */
export function trackOrder(ctx: Context, records: Ordered[]): () => void {
  const versions = () => records.map(({ id, version }) => `${id} ${version}`).join()
  const before = versions()
  return () => {
    if (versions() === before) ctx.existing()
  }
}

/** Puts records into the order of a request, which must name each record once. */
export function reorder<T extends Ordered>(records: T[], ids: number[], now: Date): T[] {
  const byId = new Map(records.map((record) => [record.id, record]))
  const unknown = ids.findIndex((id) => !byId.has(id))
  if (unknown >= 0) throw invalid([{ path: `ids.${unknown}`, message: `there is no record with id ${ids[unknown]}` }])
  if (new Set(ids).size !== ids.length || ids.length !== records.length) {
    throw invalid([{ path: 'ids', message: `must name each of the ${records.length} records once` }])
  }
  const ordered = ids.map((id) => byId.get(id)!)
  number(ordered, now)
  return ordered
}

/** Numbers records from 1 in their order; only moved records change. */
export function number<T extends Ordered>(records: T[], now: Date): void {
  records.forEach((record, index) => {
    if (record.display_order === index + 1) return
    record.display_order = index + 1
    record.updated_at = now
    record.version += 1
  })
}

/** The position of a missing default: behind the nearest earlier default that exists. */
export function placeOf<T>(present: T[], defaults: string[], name: string, nameOf: (one: T) => string): number {
  for (let before = defaults.indexOf(name) - 1; before >= 0; before -= 1) {
    const found = present.findIndex((one) => nameOf(one) === defaults[before])
    if (found >= 0) return found + 1
  }
  return 0
}
