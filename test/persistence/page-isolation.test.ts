import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { EntityManager } from '@mikro-orm/postgresql'
import { ApiToken } from '../../src/persistence/entities/api-token.ts'
import { HierarchyItem } from '../../src/persistence/entities/hierarchy-item.ts'
import { Incident } from '../../src/persistence/entities/incident.ts'
import { IncidentImpact } from '../../src/persistence/entities/incident-impact.ts'
import { IncidentUpdate } from '../../src/persistence/entities/incident-update.ts'
import { Organization } from '../../src/persistence/entities/organization.ts'
import { Page } from '../../src/persistence/entities/page.ts'
import { Secret } from '../../src/persistence/entities/secret.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** A client of page A, with the app role, who knows the ids of page B. */
let service: TestService
let mine: { incident: number; item: number }
let theirs: { incident: number; item: number }
beforeAll(async () => {
  service = await openTestService()
  mine = await records(service.page.id)
  theirs = await records(service.otherPage.id)
})
afterAll(() => service.close())

const inA = <T>(work: (tx: EntityManager) => Promise<T>) =>
  inPageTransaction(service.services.app, service.page.id, work)
const system = () => service.services.system.em.fork()
const WALL = /row-level security/
const REFERENCE = /foreign key/

const now = new Date('2026-01-01T00:00:00Z')
const incidentOf = (page_id: number) => ({
  page_id,
  title: 'secret plan',
  description: '',
  status: 'degraded',
  initial_status: 'degraded',
  impact: null,
  affected_items_freetext: null,
  lifecycle_stage_id: null,
  chat_channel_id: null,
  external_id: null,
  create_hash: null,
  reminder_interval_minutes: null,
  reminders_from: now,
  quiet_from: now,
  alerted_for: null,
  reminded_until: null,
  started_at: now,
  acknowledged_at: null,
  resolved_at: null,
  version: 1,
  created_at: now,
  updated_at: now,
})
const itemOf = (page_id: number, slug: string, parent_id: number | null = null) => ({
  page_id,
  parent_id,
  depth: 1,
  name: slug,
  slug,
  abbreviated_name: null,
  description: null,
  external_id: null,
  create_hash: null,
  display_order: 1,
  status: 'operational',
  metadata: null,
  start_date: now,
  version: 1,
  created_at: now,
  updated_at: now,
})
const updateOf = (page_id: number, incident_id: number) => ({
  page_id,
  incident_id,
  message: 'm',
  status: 'degraded',
  previous_status: 'degraded',
  is_resolution: false,
  lifecycle_stage_id: null,
  created_at: now,
  updated_at: now,
})

async function records(page: number) {
  const em = system()
  return {
    incident: Number(await em.insert(Incident, incidentOf(page))),
    item: Number(await em.insert(HierarchyItem, itemOf(page, 'item'))),
  }
}

let before: string
const titleOfTheirs = async () => (await system().findOneOrFail(Incident, { id: theirs.incident })).title
beforeEach(async () => {
  before = await titleOfTheirs()
})

describe('what is read', () => {
  test('the entity manager, the query builder and raw SQL see one page', async () => {
    await inA(async (tx) => {
      expect((await tx.findAll(Incident)).map((incident) => incident.id)).toEqual([mine.incident])
      expect(await tx.findOne(Incident, { id: theirs.incident })).toBeNull()
      expect(await tx.count(Incident, { page_id: service.otherPage.id })).toBe(0)
      expect(await tx.createQueryBuilder(Incident).where({ id: theirs.incident }).getResult()).toEqual([])
      expect(await tx.execute('select * from incident where id = ?', [theirs.incident])).toEqual([])
      expect(await tx.execute('select * from incident where page_id <> ?', [service.page.id])).toEqual([])
    })
  })

  test('a query without filters finds no more records', async () => {
    await inA(async (tx) => {
      expect(await tx.find(Incident, {}, { filters: false })).toHaveLength(1)
    })
  })

  test('an id that a client guesses finds no record', async () => {
    await inA(async (tx) => {
      const ids = Array.from({ length: 200 }, (_, index) => index + 1)
      const found = await tx.find(Incident, { id: { $in: ids } })
      expect(found.map((incident) => incident.id)).toEqual([mine.incident])
      expect((await tx.findAll(ApiToken)).every((token) => token.page_id === service.page.id)).toBe(true)
    })
  })

  test('a reference to another page’s record cannot be loaded', async () => {
    await inA(async (tx) => {
      const reference = tx.getReference(Incident, theirs.incident)
      await expect(tx.refresh(reference)).resolves.toBeNull()
      expect(reference.title).toBeUndefined()
    })
  })

  test('the page and the organization are the own ones', async () => {
    await inA(async (tx) => {
      expect((await tx.findAll(Page)).map((page) => page.id)).toEqual([service.page.id])
      expect((await tx.findAll(Organization)).map((o) => o.id)).toEqual([service.page.organization_id])
    })
  })

  test('outside a transaction there is nothing', async () => {
    const em = service.services.app.em.fork()
    expect(await em.findAll(Incident)).toEqual([])
    expect(await em.findAll(Page)).toEqual([])
    expect(await em.execute('select * from api_token')).toEqual([])
    expect(await em.transactional((tx) => tx.findAll(Incident))).toEqual([])
    await expect(em.insert(Incident, incidentOf(service.page.id))).rejects.toThrow(WALL)
  })

  test('what a transaction may see ends with it, on the same connection too', async () => {
    for (let round = 0; round < 20; round += 1) {
      await inA(async (tx) => expect(await tx.count(Incident)).toBe(1))
      expect(await service.services.app.em.fork().count(Incident)).toBe(0)
    }
  })

  test('what belongs to the installation is not there at all', async () => {
    await expect(inA((tx) => tx.execute('select * from installation'))).resolves.toEqual([])
    await expect(inA((tx) => tx.execute('select * from migration'))).rejects.toThrow(/permission denied/)
  })
})

describe('what is written', () => {
  const unchanged = async () => expect(await titleOfTheirs()).toBe(before)

  test('updates and deletes touch nothing of another page', async () => {
    await inA(async (tx) => {
      const where = { id: theirs.incident }
      expect(await tx.nativeUpdate(Incident, where, { title: 'mine now' })).toBe(0)
      expect(await tx.nativeDelete(Incident, where)).toBe(0)
      expect(
        (await tx.createQueryBuilder(Incident).update({ title: 'mine now' }).where(where).execute()).affectedRows,
      ).toBe(0)
      await tx.execute('update incident set title = ? where id = ?', ['mine now', theirs.incident])
      await tx.execute('delete from incident where id = ?', [theirs.incident])
    })
    await unchanged()
  })

  test('a reference that is changed and flushed changes nothing', async () => {
    const attempt = inA(async (tx) => {
      tx.getReference(Incident, theirs.incident).title = 'mine now'
      await tx.flush()
    })
    await attempt.catch(() => {})
    await unchanged()
  })

  test('an upsert over another page’s row is refused', async () => {
    await expect(
      inA((tx) => tx.upsert(Incident, { ...incidentOf(service.page.id), id: theirs.incident, title: 'mine now' })),
    ).rejects.toThrow(WALL)
    await unchanged()
  })

  test('nothing is inserted into another page', async () => {
    const row = incidentOf(service.otherPage.id)
    await expect(inA((tx) => tx.insert(Incident, row))).rejects.toThrow(WALL)
    await expect(inA((tx) => tx.insertMany(Incident, [row]))).rejects.toThrow(WALL)
    await expect(
      inA(async (tx) => {
        tx.create(Incident, row)
        await tx.flush()
      }),
    ).rejects.toThrow(WALL)
    const secret = { page_id: service.otherPage.id, name: 'n', key_id: 'k', ciphertext: 'c', updated_at: now }
    await expect(inA((tx) => tx.upsert(Secret, secret, { onConflictFields: ['page_id', 'name'] }))).rejects.toThrow(
      WALL,
    )
  })

  test('a record does not move to another page', async () => {
    const move = inA((tx) => tx.nativeUpdate(Incident, { id: mine.incident }, { page_id: service.otherPage.id }))
    await expect(move).rejects.toThrow(WALL)
  })

  test('a record does not refer to another page’s', async () => {
    const page = service.page.id
    await expect(inA((tx) => tx.insert(IncidentUpdate, updateOf(page, theirs.incident)))).rejects.toThrow(REFERENCE)
    await expect(inA((tx) => tx.insert(HierarchyItem, itemOf(page, 'child', theirs.item)))).rejects.toThrow(REFERENCE)
    const impact = { page_id: page, incident_id: mine.incident, item_id: theirs.item, ended_by_resolution: false }
    await expect(
      inA((tx) => tx.insert(IncidentImpact, { ...impact, status: null, start_time: now, end_time: null })),
    ).rejects.toThrow(REFERENCE)
  })

  test('even the system role cannot join two pages', async () => {
    const row = updateOf(service.page.id, theirs.incident)
    await expect(system().insert(IncidentUpdate, row)).rejects.toThrow(REFERENCE)
  })
})

describe('the roles and the tables', () => {
  const query = <T>(sql: string) => system().execute<T[]>(sql)

  test.each(['upbeat_app', 'upbeat_system'])('%s owns nothing and bypasses nothing', async (role) => {
    expect(
      await query(`select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin
      from pg_roles where rolname = '${role}'`),
    ).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolcanlogin: false }])
    expect(await query(`select relname from pg_class where relowner = '${role}'::regrole`)).toEqual([])
    expect(await query(`select roleid from pg_auth_members where member = '${role}'::regrole`)).toEqual([])
    const [grants] = await query<{ schema: boolean }>(
      `select has_schema_privilege('${role}', 'public', 'create') as schema`,
    )
    expect(grants).toEqual({ schema: false })
  })

  test('no transaction of theirs that stands still keeps its locks', async () => {
    for (const orm of [service.services.app, service.services.system]) {
      const [row] = await orm.em
        .fork()
        .execute<object[]>("select current_setting('idle_in_transaction_session_timeout') as longest")
      expect(row).toEqual({ longest: '10s' })
    }
  })

  test('the services run as these roles', async () => {
    expect(await service.services.app.em.fork().execute('select current_user::text as name')).toEqual([
      { name: 'upbeat_app' },
    ])
    expect(await query('select current_user::text as name')).toEqual([{ name: 'upbeat_system' }])
  })

  test('every table has row-level security, and every table with a page_id is isolated by page', async () => {
    const tables = await query<{ name: string; secured: boolean; paged: boolean; app: string | null }>(`
      select c.relname::text as name, c.relrowsecurity as secured,
        exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'page_id') as paged,
        (select string_agg(p.permissive || ' ' || p.cmd || ' ' || p.qual || ' ' || p.with_check, ',') from pg_policies p
          where p.tablename = c.relname and ('upbeat_app' = any(p.roles) or 'public' = any(p.roles))) as app
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm')`)
    const isolated = tables.filter((table) => table.paged)
    expect(isolated.length).toBeGreaterThan(15)
    for (const { name, secured, app } of isolated) {
      expect([name, secured, app]).toEqual([
        name,
        true,
        'PERMISSIVE ALL (page_id = current_page()) (page_id = current_page())',
      ])
    }
    const others = Object.fromEntries(tables.filter((table) => !table.paged).map((table) => [table.name, table.app]))
    expect(others).toEqual({
      page: 'PERMISSIVE ALL (id = current_page()) (id = current_page())',
      organization: 'PERMISSIVE ALL (id = current_organization()) (id = current_organization())',
      installation: null,
      api_pulse: 'PERMISSIVE ALL true false',
      beat_assignment: null,
      check_shard: null,
      migration: null,
    })
    expect(tables.filter((table) => !table.secured).map((table) => table.name)).toEqual(['migration'])
  })

  test('every foreign key between records of a page holds both to one page', async () => {
    const keys = await query<{ name: string; columns: string; paged: boolean }>(`
      select k.conname::text as name,
        (select string_agg(a.attname, ',' order by array_position(k.conkey, a.attnum)) from pg_attribute a
          where a.attrelid = k.conrelid and a.attnum = any(k.conkey)) as columns,
        exists (select 1 from pg_attribute a where a.attrelid = k.confrelid and a.attname = 'page_id') as paged
      from pg_constraint k where k.contype = 'f'`)
    const between = keys.filter((key) => key.paged)
    expect(between.length).toBeGreaterThan(0)
    for (const { name, columns } of between) expect([name, columns]).toEqual([name, expect.stringMatching(/^page_id,/)])
  })
})
