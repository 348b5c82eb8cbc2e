import { expect, jest, test } from '@jest/globals'
import { splitSecrets } from '../../src/domain/beats/targets/split-secrets-rules.ts'
import { sealOf } from '../../src/domain/kernel/secrets.ts'
import { transitionsOf } from '../support/stored-beats.ts'
import { until } from '../support/wait.ts'
import { ill, leasedService, more, shard, well } from './leased-service.ts'

const leased = leasedService()
const { make, change, another, run } = leased

test('only changed beats are read again', async () => {
  const [same, edited, paused] = await make(3)
  const process = another()
  await process.hold(shard)
  await more(process.checked, 6)
  const before = new Map(process.checked.map((beat) => [beat.id, beat]))
  await change([edited!], `timeout_ms = 777`)
  await change([paused!], `enabled = false`)
  const [added] = await make(1)
  await until(
    () => process.checked.at(-1)?.id,
    (id) => id === added,
  )
  process.checked.length = 0
  await more(process.checked, 9)
  const after = new Map(process.checked.map((beat) => [beat.id, beat]))
  expect([...after.keys()].sort()).toEqual([same, edited, added].sort())
  expect(after.get(same!)).toBe(before.get(same!))
  expect(after.get(edited!)?.timeout_ms).toBe(777)
})

test('a check gets the secrets of its target', async () => {
  const [id] = await make(1, { target: { url: 'https://shop.example/', headers: { Authorization: '***REDACTED***' } } })
  const target = { url: 'https://shop.example/', headers: { Authorization: 'Bearer 4711', Accept: 'text/plain' } }
  const { shown, secrets } = splitSecrets(target)
  const name = `beat:${id}`
  const sealed = leased.service.services.keyring.encrypt(
    JSON.stringify(secrets),
    sealOf({ page_id: leased.service.page.id, name }),
  )
  await run(
    `insert into secret (page_id, name, key_id, ciphertext, updated_at)
      values (${leased.service.page.id}, '${name}', '${sealed.key_id}', '${sealed.ciphertext}', now())`,
  )
  await change([id!], `target = '${JSON.stringify(shown)}'`)
  const process = another()
  await process.hold(shard)
  await more(process.checked, 1)
  expect(process.checked[0]?.target).toEqual(target)
})

test('the failures of another process count', async () => {
  const [id] = await make(1, { rules: { critical_rule: { consecutive_failures: 60 } } })
  await run(
    `insert into beat_result (beat_id, due_at, region, page_id, at, ok, evidence)
      select ${id}, now() - n * interval '1 second', 'local', ${leased.service.page.id}, now(), false, '' from generate_series(1, 58) n`,
  )
  const process = another(() => ill)
  await process.hold(shard)
  const [transition] = await until(
    () => transitionsOf(leased.service, id!),
    (list) => list.length > 0,
  )
  expect(transition).toMatchObject({ number: 1, from_stage: null, to_stage: 'critical' })
  expect(process.checked.length).toBeLessThan(58)
})

test('the first result after a region was unserved makes the stage known again', async () => {
  const [id] = await make(1)
  await run(
    `update beat set current_stage = 'healthy', unknown_since = now(), unknown_because = 'no worker in region local'`,
  )
  const process = another()
  await process.hold(shard)
  await until(
    () => run(`select unknown_since, unknown_because from beat where id = ${id}`),
    ([row]) => (row as { unknown_since: unknown }).unknown_since === null,
  )
  expect(await transitionsOf(leased.service, id!)).toEqual([])
})

test('the stage of a beat that may not be checked becomes unknown, and its history has the reason', async () => {
  const [id] = await make(1)
  await run(`update beat set current_stage = 'healthy'`)
  const because = '10.0.0.1 is a private address; only public addresses may be reached here'
  let refused = true
  const process = another(() => (refused ? { ...ill, evidence: because, refused } : well))
  await process.hold(shard)
  const unknown = () => run(`select unknown_because from beat where id = ${id}`)
  await until(unknown, ([row]) => (row as { unknown_because: string | null }).unknown_because === because)
  expect(await run(`select message from process_note where workflow_id = 'beat:${id}'`)).toEqual([
    { message: `No region checks the beat (${because}). The stage is unknown.` },
  ])
  expect(await run(`select 1 from beat_result where beat_id = ${id}`)).toEqual([])
  refused = false
  await until(unknown, ([row]) => (row as { unknown_because: string | null }).unknown_because === null)
  expect(await transitionsOf(leased.service, id!)).toEqual([])
})

test('a healthy check needs only the transaction that stores many results', async () => {
  await make(50)
  const process = another()
  await process.hold(shard)
  const unknown = () => run(`select id from beat where current_stage is distinct from 'healthy'`)
  await until(unknown, ({ length }) => length === 0)
  // Batches of results use the connections of the system role; no transaction of a page begins.
  await more(process.checked, 100)
  const begun = jest.spyOn(leased.service.services.app.em, 'getKysely')
  await more(process.checked, 300)
  expect(begun).not.toHaveBeenCalled()
  begun.mockRestore()
})

test('a beat whose secrets cannot be decrypted is not checked, and other beats of the shard are checked', async () => {
  const [broken, other] = await make(2)
  const process = another()
  await process.hold(shard)
  await more(process.checked, 4)
  await run(
    `insert into secret (page_id, name, key_id, ciphertext, updated_at)
      values (${leased.service.page.id}, 'beat:${broken}', 'lost', 'AAAA', now())`,
  )
  await change([broken!], 'timeout_ms = 777')
  await change([other!], 'timeout_ms = 777')
  await until(
    () => process.checked.at(-1)!,
    ({ id, timeout_ms }) => id === other && timeout_ms === 777,
  )
  process.checked.length = 0
  await more(process.checked, 3)
  expect(new Set(process.checked.map(({ id }) => id))).toEqual(new Set([other]))
})
