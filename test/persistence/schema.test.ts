import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Orm } from '../../src/persistence/orm.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { freshDatabase } from '../support/database.ts'

let orm: Orm
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await freshDatabase()
  drop = database.drop
  orm = await openOrm({ url: database.url, poolMax: 2 })
})
afterAll(async () => {
  await orm.close(true)
  await drop()
})

test('the migrations make what the entities describe, and besides that foreign keys alone', async () => {
  const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false })
  const statements = sql.split('\n').filter((line) => line.trim() !== '')
  const unknown = statements.map((line) => /^alter table "\w+" drop constraint "(\w+_fkey)";$/.exec(line)?.[1] ?? line)
  const keys = await orm.em
    .fork()
    .execute<{ name: string }[]>(`select conname::text as name from pg_constraint where contype = 'f'`)
  expect(unknown.sort()).toEqual(keys.map((key) => key.name).sort())
})

test('references between records of a page are composite', async () => {
  const keys = await orm.em
    .fork()
    .execute<{ name: string; definition: string }[]>(
      `select conname::text as name, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'f'`,
    )
  const definitions = new Map(keys.map((key) => [key.name, key.definition]))
  expect(definitions.get('incident_update_page_id_incident_id_fkey')).toBe(
    'FOREIGN KEY (page_id, incident_id) REFERENCES incident(page_id, id)',
  )
  expect(definitions.get('incident_impact_page_id_item_id_fkey')).toBe(
    'FOREIGN KEY (page_id, item_id) REFERENCES hierarchy_item(page_id, id)',
  )
  expect(definitions.get('hierarchy_item_page_id_parent_id_fkey')).toBe(
    'FOREIGN KEY (page_id, parent_id) REFERENCES hierarchy_item(page_id, id)',
  )
})

test('every moment is kept to the millisecond', async () => {
  const columns = await orm.em.fork().execute<{ column: string }[]>(
    `select table_name || '.' || column_name as column from information_schema.columns where table_schema = 'public'
      and data_type like 'timestamp%' and (data_type <> 'timestamp with time zone' or datetime_precision <> 3)
      and table_name <> 'migration'`,
  )
  expect(columns).toEqual([])
})
