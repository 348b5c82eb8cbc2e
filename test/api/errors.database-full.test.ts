import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { takesWrites } from '../../src/persistence/system/readiness.ts'
import { administer } from '../support/administrator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ deps: { health: { database: takesWritesNow, temporal: async () => true } } })
})
afterAll(() => service.close())

/** Lets each new incident fail as PostgreSQL does: the server that all tests share cannot run out of disk. */
const failWith = (code: string) =>
  administer(
    service,
    `create or replace function fail() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$;
    create or replace trigger fail before insert on incident execute function fail()`,
  )

test.each([
  ['a full disk', '53100'],
  ['a disk that cannot be read or written', '58030'],
  ['too little memory', '53200'],
  ['a standby that takes no writes', '25006'],
])('%s is answered with 503 and Retry-After', async (_, code) => {
  await failWith(code)
  const { status, body, headers } = await service.admin.post('/admin/incidents', { title: 'Down' })
  expect([status, headers.get('retry-after'), body.code]).toEqual([503, '2', 'unavailable'])
})

test('a database that cannot write files is not ready, and is ready again when it can', async () => {
  const ready = async () => (await service.as(undefined).get('//readyz')).status
  const [{ name } = { name: '' }] = await administer<{ name: string }>(service, 'select current_database() as name')
  expect(await ready()).toBe(200)
  await administer(service, `alter database ${name} set temp_file_limit = '100kB'`)
  await until(ready, (status) => status === 503)
  await administer(service, `alter database ${name} reset temp_file_limit`)
  await until(ready, (status) => status === 200)
})

/** On a connection of its own, because a connection keeps the settings with which it began. */
async function takesWritesNow(): Promise<boolean> {
  const orm = await openOrm({ url: service.services.system.config.get('clientUrl')!, role: SYSTEM_ROLE, poolMax: 1 })
  try {
    return await takesWrites(orm, async () => {})
  } finally {
    await orm.close(true)
  }
}
