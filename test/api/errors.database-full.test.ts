import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { administer } from '../support/administrator.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
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
  await disconnect()
  expect(await ready()).toBe(503)
  await administer(service, `alter database ${name} reset temp_file_limit`)
  await disconnect()
  expect(await ready()).toBe(200)
})

/** New connections of the test service have the new settings. */
async function disconnect(): Promise<void> {
  await administer(
    service,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
}
