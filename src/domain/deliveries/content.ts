import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../persistence/entities/beat.ts'
import { BeatComponent } from '../../persistence/entities/beat-component.ts'
import { BeatGroup } from '../../persistence/entities/beat-group.ts'
import { CustomView } from '../../persistence/entities/custom-view.ts'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { Incident } from '../../persistence/entities/incident.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceSeriesItem } from '../../persistence/entities/maintenance-series-item.ts'
import type { Content, NotificationEvent, Variant } from '../../persistence/entities/notification-event.ts'
import type { StatusType } from '../../persistence/entities/status-type.ts'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import { withAncestors } from '../../persistence/hierarchy.ts'
import { pageById } from '../../persistence/system/directory.ts'
import { itemsOfIncident } from '../../persistence/timelines.ts'
import { pathsOf, presentItemSummary } from '../hierarchy/presenter.ts'
import * as incidents from '../incidents/presenter.ts'
import type { Services } from '../kernel/services.ts'
import * as maintenances from '../maintenances/presenter.ts'
import { addressesOf } from '../pages/rules.ts'
import { presentCompact as presentSeries } from '../series/presenter.ts'
import { settingsOf } from '../settings/stored.ts'
import { inOriginal, languagesOf } from '../translations/languages.ts'
import { translationsOf } from '../translations/read.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { isPublicEvent } from './audience-rules.ts'

type Kind = Parameters<Awaited<ReturnType<typeof translationsOf>>>[0]

interface Described {
  record: Record<string, unknown>
  updates?: { id: number }[]
  items: Content['items']
  /** The items that the record affected before: their subscribers get its further notifications, too. */
  formerItems?: number[]
  /** The kinds of the translations of the record and of its entries. */
  kinds?: [record: Kind, entry: Kind]
}

/** What the deliveries of an event contain, as it is now; null for a subject that was deleted. */
export async function contentOf(
  tx: EntityManager,
  services: Pick<Services, 'system' | 'baseUrl' | 'baseDomain'>,
  event: NotificationEvent,
): Promise<Content | null> {
  const described = await describe(tx, event)
  if (!described) return null
  const { record, updates, items, formerItems = [] } = described
  const types = await statusTypes(tx)
  const page = await pageById(services.system, event.page_id)
  const { site_title } = await settingsOf(tx)
  const update = updates?.find(({ id }) => id === event.data.update_id)
  const reached = [...new Set([...items.map(({ id }) => id), ...formerItems])]
  const scope = await withAncestors(tx, reached)
  return {
    // Rises with every event of the page, and therefore with those of the record.
    sequence: event.id,
    page: { id: page.id, name: site_title || page.name, url: addressesOf(page, services).public_url },
    languages: await languagesOf(tx),
    record,
    ...(update ? { update: update as unknown as Record<string, unknown> } : {}),
    ...{ items, reached, scope: [...scope.keys()] },
    statuses: Object.fromEntries(types.map(({ key, name }) => [key, name])),
    translations: await translationsIn(tx, event.page_id, types, { ...described, updates: update ? [update] : [] }),
  }
}

/** The published translations of everything that the content names, in one query. */
async function translationsIn(
  tx: EntityManager,
  pageId: number,
  types: StatusType[],
  { record, updates: [update] = [], items, kinds }: Described,
): Promise<Content['translations']> {
  const own = { id: record.id as number }
  const named = [record, update as Record<string, unknown> | undefined].map((one) => one?.lifecycle_stage)
  const stages = named.filter((stage) => stage !== undefined) as { id: number }[]
  const translations = await translationsOf(tx, {
    ...{ item: items, status_type: types, lifecycle_stage: stages, settings: [{ id: pageId }] },
    ...(kinds ? { [kinds[0]]: [own] } : {}),
    ...(kinds && update ? { [kinds[1]]: [update] } : {}),
  })
  const published = (kind: Kind, id: number): Variant[] =>
    translations(kind, id).flatMap(({ locale, values, state }) => (state === 'published' ? [{ locale, values }] : []))
  const byName = <R extends { id: number }>(kind: Kind, records: R[], nameOf: (one: R) => string | number) =>
    Object.fromEntries(
      records.map((one) => [nameOf(one), published(kind, one.id)] as const).filter(([, found]) => found.length > 0),
    )
  return {
    record: kinds ? published(kinds[0], own.id) : [],
    update: kinds && update ? published(kinds[1], update.id) : [],
    names: {
      items: byName('item', items, ({ id }) => id),
      stages: byName('lifecycle_stage', stages, ({ id }) => id),
      statuses: byName('status_type', types, ({ key }) => key),
      page: published('settings', pageId),
    },
  }
}

async function describe(tx: EntityManager, event: NotificationEvent): Promise<Described | null> {
  const id = event.subject_id
  switch (event.subject_kind) {
    case 'incident':
      return describeIncident(tx, id, isPublicEvent(event))
    case 'maintenance':
      return describeMaintenance(tx, event)
    case 'series':
      return describeSeries(tx, id)
    case 'item':
      return describeItem(tx, id)
    case 'beat':
    case 'beat_group':
      return describeBeat(tx, event.subject_kind, id)
    case 'view':
      return describeView(tx, id)
    case 'page':
      return { record: { id }, items: [] }
    default:
      return describeSubscriber(tx, id)
  }
}

async function describeIncident(tx: EntityManager, id: number, isPublic: boolean): Promise<Described | null> {
  const incident = await tx.findOne(Incident, { id })
  if (!incident) return null
  const [record] = isPublic
    ? await incidents.presentPublic(tx, [incident], inOriginal)
    : await incidents.presentFull(tx, [incident])
  return {
    ...withLists(record!),
    formerItems: await itemsOfIncident(tx, id),
    kinds: ['incident', 'incident_update'],
  }
}

async function describeMaintenance(tx: EntityManager, event: NotificationEvent): Promise<Described | null> {
  const maintenance = await tx.findOne(Maintenance, { id: event.subject_id })
  if (!maintenance) return null
  const [record] = isPublicEvent(event)
    ? await maintenances.presentPublic(tx, [maintenance], inOriginal)
    : await maintenances.presentFull(tx, [maintenance])
  const formerItems = (event.data.removed_items ?? []) as number[]
  return { ...withLists(record!), formerItems, kinds: ['maintenance', 'maintenance_update'] }
}

const withLists = (record: { affected_items: object[]; updates: { id: number }[] }) => ({
  record: record as unknown as Record<string, unknown>,
  updates: record.updates,
  items: record.affected_items as Content['items'],
})

async function describeSeries(tx: EntityManager, id: number): Promise<Described | null> {
  const series = await tx.findOne(MaintenanceSeries, { id })
  if (!series) return null
  const affected = await tx.find(MaintenanceSeriesItem, { series_id: id })
  const { external_id: _external, ...record } = presentSeries(series)
  return {
    record,
    items: await itemsOf(
      tx,
      affected.map(({ item_id }) => item_id),
    ),
    kinds: ['maintenance_series', 'maintenance_update'],
  }
}

async function describeItem(tx: EntityManager, id: number): Promise<Described | null> {
  const items = await itemsOf(tx, [id])
  return items[0] ? { record: items[0], items, kinds: ['item', 'item'] } : null
}

async function describeBeat(tx: EntityManager, kind: 'beat' | 'beat_group', id: number): Promise<Described | null> {
  const beat = kind === 'beat' ? await tx.findOne(Beat, { id }) : await tx.findOne(BeatGroup, { id })
  if (!beat) return null
  const mapped = await tx.find(BeatComponent, { owner_kind: kind, owner_id: id })
  const { name, description, current_stage, impact } = beat
  return {
    record: { id, name, description, current_stage, impact, ...('type' in beat ? { type: beat.type } : {}) },
    items: await itemsOf(
      tx,
      mapped.map(({ item_id }) => item_id),
    ),
  }
}

async function describeView(tx: EntityManager, id: number): Promise<Described | null> {
  const view = await tx.findOne(CustomView, { id })
  return view && { record: { id, name: view.name }, items: [] }
}

async function describeSubscriber(tx: EntityManager, id: number): Promise<Described | null> {
  const subscriber = await tx.findOne(Subscriber, { id })
  if (!subscriber) return null
  const { channel, state, created_at } = subscriber
  return { record: { id, channel, state, created_at: created_at.toISOString() }, items: [] }
}

async function itemsOf(tx: EntityManager, ids: number[]): Promise<Content['items']> {
  const items = await tx.find(HierarchyItem, { id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const path = await pathsOf(tx, items)
  return items.map((item) => presentItemSummary(item, path))
}
