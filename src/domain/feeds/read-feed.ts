import type { EntityManager } from '@mikro-orm/postgresql'
import { Incident } from '../../persistence/entities/incident.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { Page } from '../../persistence/entities/page.ts'
import { newestEntries } from '../../persistence/feed-entries.ts'
import { withReports } from '../incidents/postmortem-presenter.ts'
import { presentPublic as presentIncidents } from '../incidents/presenter.ts'
import type { Context } from '../kernel/context.ts'
import { presentPublic as presentMaintenances } from '../maintenances/presenter.ts'
import { siteOf } from '../pages/views/site.ts'
import { narrowedAll } from '../readers/narrow-rules.ts'
import type { Reading } from '../translations/languages.ts'
import { ENTRIES_AT_MOST, entriesOf, type Listed, type RecordKind, recordKindOf, recordKinds } from './entry-rules.ts'
import type { FeedView } from './view-schema.ts'

export interface AskedFeed {
  /** What the feed is about, for its id, its title and its link. */
  feed: FeedView['feed']
  /** The items of its records; null for the whole page. */
  items: ReadonlySet<number> | null
  locale: string | undefined
  /** One entry for each update, else one for each incident and each maintenance. */
  perUpdate: boolean
  kinds?: RecordKind[]
  /** Only entries with one of these lifecycle stages. Empty: all. */
  stageIds?: number[]
}

/** All data of a feed of a scope of items. */
export async function feedOf(ctx: Context, asked: AskedFeed): Promise<FeedView> {
  const { tx, page } = ctx
  const { feed, items, perUpdate, locale, kinds = [...recordKinds], stageIds = [] } = asked
  const { site, reading } = await siteOf(ctx, locale)
  const { id, created_at } = await tx.findOneOrFail(Page, { id: page.id })
  const listed = await newestEntries(tx, {
    incidents: kinds.includes('incident'),
    maintenances: kinds.includes('maintenance'),
    perUpdate,
    items: items && [...items],
    stages: stageIds.length > 0 ? stageIds : null,
    limit: ENTRIES_AT_MOST,
  })
  const records = await recordsOf(tx, listed, reading)
  const seen = {
    incident: narrowedAll(records.incident, items),
    maintenance: narrowedAll(records.maintenance, items),
  }
  const entries = entriesOf<(typeof seen)[RecordKind][number]>(listed, seen, { perUpdate })
  return {
    ...site,
    page: { id, created_at: created_at.toISOString() },
    feed,
    entries: entries as FeedView['entries'],
  }
}

async function recordsOf(tx: EntityManager, listed: Listed[], reading: Reading) {
  const idsOf = (kind: RecordKind) => [
    ...new Set(listed.filter((one) => recordKindOf(one.kind) === kind).map(({ record_id }) => record_id)),
  ]
  const incidents = await tx.find(Incident, { id: { $in: idsOf('incident') } })
  const maintenances = await tx.find(Maintenance, { id: { $in: idsOf('maintenance') } })
  return {
    incident: await withReports(tx, await presentIncidents(tx, incidents, reading), reading),
    maintenance: await presentMaintenances(tx, maintenances, reading),
  }
}
