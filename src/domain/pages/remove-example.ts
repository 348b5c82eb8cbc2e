import { z } from 'zod'
import { ExampleRecord } from '../../persistence/entities/example-record.ts'
import type { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceUpdate } from '../../persistence/entities/maintenance-update.ts'
import { deleteStatusEvents, usesOfExampleItem } from '../../persistence/example.ts'
import { leaveScopes } from '../../persistence/forgotten-records.ts'
import { lockTree } from '../../persistence/hierarchy.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import { deleteIncident } from '../incidents/remove.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { message } from '../kernel/schema.ts'
import { inList } from '../kernel/text-rules.ts'
import { deleteMaintenance } from '../maintenances/remove.ts'
import { deleteSeries } from '../series/remove.ts'
import { forgetTranslations } from '../translations/write.ts'
import { readExample } from './example-records.ts'

const CHANGED = 'which was changed'

export const deleteExample = operation({
  name: 'example.delete',
  area: 'settings',
  permission: 'admin',
  summary: 'Delete the example that the first start made',
  description:
    'Deletes the items, incidents, maintenances and the series of the example, except records that a person has changed and items that other records refer to. `message` names the records that stay; a later request tries again. The page stays.',
  input: z.strictObject({}),
  output: message,
  run: async (ctx) => {
    const example = await readExample(ctx.tx)
    if (example.rows.length === 0) {
      ctx.existing()
      return { message: 'The example has no records left.' }
    }
    const { found, isUnchanged } = example
    const report = new Report()
    for (const incident of found.incident) {
      const { id, title } = incident
      if (!isUnchanged.incident(incident)) report.stays('incident', id, title, CHANGED)
      else {
        await deleteIncident.run(ctx, { notify: false }, incident)
        report.goes('incident')
      }
    }
    for (const series of found.series) {
      const { id, title } = series
      if (!isUnchanged.series(series)) report.stays('series', id, title, CHANGED)
      else {
        await removeSeries(ctx, series, report)
        report.goes('series')
      }
    }
    await removeItems(ctx, found.item, isUnchanged.item, report)
    await forget(ctx, example.rows, report)
    return { message: report.sentence() }
  },
})

/** Deletes the unchanged windows of the series first; changed windows stay as maintenances without a series. */
async function removeSeries(ctx: Context, series: MaintenanceSeries, report: Report): Promise<void> {
  const { tx } = ctx
  const windows = await tx.find(Maintenance, { series_id: series.id }, { orderBy: { id: 'asc' } })
  const ids = { $in: windows.map(({ id }) => id) }
  const occurrences = await tx.find(MaintenanceOccurrence, { maintenance_id: ids })
  const entries = await tx.find(MaintenanceUpdate, { maintenance_id: ids })
  const byHand = entries.filter((entry) => !entry.due_at || entry.updated_at.getTime() !== entry.created_at.getTime())
  const touched = new Set([
    ...occurrences.filter((row) => row.edited).map((row) => row.maintenance_id),
    ...byHand.map((entry) => entry.maintenance_id),
  ])
  for (const window of windows) {
    const { id, title } = window
    if (touched.has(id)) report.stays('maintenance', id, title, CHANGED)
    else {
      await deleteMaintenance.run(ctx, { notify: false }, window)
      report.goes('maintenance')
    }
  }
  await deleteSeries.run(ctx, {}, series)
}

/** Deletes the deepest items first: an item with a remaining child stays. */
async function removeItems(
  ctx: Context,
  items: HierarchyItem[],
  isUnchanged: (item: HierarchyItem) => boolean,
  report: Report,
): Promise<void> {
  const { tx, page, now } = ctx
  await tx.flush()
  await lockTree(tx, page.id)
  for (const item of items) {
    const { id, name } = item
    const uses = await usesOfExampleItem(tx, id)
    if (!isUnchanged(item)) report.stays('item', id, name, CHANGED)
    else if (uses.length > 0) report.stays('item', id, name, `which ${inList(uses)} refer to`)
    else {
      await removeItem(ctx, item)
      report.goes('item')
    }
  }
  await recomputeStatuses(tx, { pageId: page.id, now, cause: { kind: 'item', id: null } })
}

async function removeItem(ctx: Context, item: HierarchyItem): Promise<void> {
  const { tx, now } = ctx
  await forgetTranslations(ctx, ['item', item.id])
  await deleteStatusEvents(tx, item.id)
  tx.remove(item)
  await tx.flush()
  await leaveScopes(tx, [item.id], now)
}

/** Removes deleted records from the example, so that a later call reads only the records that stay. */
async function forget({ tx }: Context, rows: ExampleRecord[], report: Report): Promise<void> {
  const gone = rows.filter(({ kind, record_id }) => !report.isThere(kind, record_id))
  for (const { kind, record_id } of gone) await tx.nativeDelete(ExampleRecord, { kind, record_id })
}

type What = 'item' | 'incident' | 'series' | 'maintenance'

const plurals: Record<What, [one: string, many: string]> = {
  item: ['item', 'items'],
  incident: ['incident', 'incidents'],
  series: ['maintenance series', 'maintenance series'],
  maintenance: ['maintenance', 'maintenances'],
}

/** Collects deleted and remaining records for the message. */
class Report {
  readonly #gone = new Map<What, number>()
  readonly #left: { what: What; id: number; words: string }[] = []

  goes(what: What): void {
    this.#gone.set(what, (this.#gone.get(what) ?? 0) + 1)
  }

  stays(what: What, id: number, name: string, why: string): void {
    this.#left.push({ what, id, words: `the ${plurals[what][0]} "${name}" (${id}), ${why}` })
  }

  isThere(what: What, id: number): boolean {
    return this.#left.some((one) => one.what === what && one.id === id)
  }

  sentence(): string {
    const counts = [...this.#gone].map(([what, count]) => `${count} ${plurals[what][count === 1 ? 0 : 1]}`)
    const deleted = counts.length > 0 ? `Deleted: ${counts.join(', ')}.` : 'Nothing was deleted.'
    if (this.#left.length === 0) return deleted
    return `${deleted} These stay: ${this.#left.map(({ words }) => words).join('; ')}.`
  }
}
