import type { Client } from 'pg'

const PAGE = '(select min(id) from page)'
const STAGE = "(select min(id) from lifecycle_stage where kind = 'incident')"

/** A big page: a tree of 1,000 items, 2,000 incidents of which 20 are open, ten updates on each. */
export async function seedPage(database: Client): Promise<void> {
  await seedItems(database)
  await seedIncidents(database, 2000, 20)
  await database.query(
    `insert into incident_update (page_id, incident_id, message, status, previous_status, is_resolution,
        lifecycle_stage_id, created_at, updated_at)
      select i.page_id, i.id, 'We are on it. ' || repeat('Still. ', 20), i.status, 'degraded', false, ${STAGE},
        i.started_at, i.started_at
      from incident i cross join generate_series(1, 10)`,
  )
  await seedImpacts(database)
  await database.query('analyze')
}

/** Each incident holds one item down, or held it down until it was resolved. */
export async function seedImpacts(database: Client): Promise<void> {
  await database.query(
    `insert into incident_impact (page_id, incident_id, item_id, start_time, end_time, ended_by_resolution)
      select i.page_id, i.id, (select min(id) from hierarchy_item) + i.id % 1000, i.started_at, i.resolved_at,
        i.resolved_at is not null from incident i`,
  )
  await database.query('analyze incident_impact')
}

/** A tree of 1,000 items, of which `item-3-1` to `item-3-900` are leaves. */
export async function seedItems(database: Client): Promise<void> {
  await items(database, 1, 10, 'null')
  await items(database, 2, 90, "(select id from hierarchy_item where slug = 'item-1-' || (n % 10 + 1))")
  await items(database, 3, 900, "(select id from hierarchy_item where slug = 'item-2-' || (n % 90 + 1))")
  await database.query('analyze hierarchy_item')
}

function items(database: Client, depth: number, count: number, parent: string) {
  return database.query(
    `insert into hierarchy_item (page_id, parent_id, depth, name, slug, display_order, status, start_date, version,
        created_at, updated_at)
      select ${PAGE}, ${parent}, $1::int, 'Item ' || n, 'item-' || $1::int || '-' || n, n, 'operational', now(), 1, now(), now()
      from generate_series(1, $2::int) n`,
    [depth, count],
  )
}

export async function seedIncidents(database: Client, count: number, open = 0): Promise<void> {
  await database.query(
    `insert into incident (page_id, title, description, status, initial_status, lifecycle_stage_id, reminders_from,
        quiet_from, started_at, resolved_at, version, created_at, updated_at)
      select ${PAGE}, 'Seeded ' || n, repeat('Something is down. ', 20), case when n <= $2 then 'degraded' else 'resolved' end,
        'degraded', ${STAGE}, t.at, t.at, t.at, case when n <= $2 then null else t.at + interval '1 hour' end, 1, t.at, t.at
      from generate_series(1, $1::int) n, lateral (select now() - n * interval '1 hour' as at) t`,
    [count, open],
  )
  await database.query('analyze incident')
}
