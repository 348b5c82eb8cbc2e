import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTarget, secretNameOf } from '../../src/domain/beats/targets/sealed-target.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { beatsPath, changesOf, makeBeat } from '../support/beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const SECRET = 'Bearer s3cret-word'
const URL_SECRET = 'tok3n-in-url'
const target = {
  url: `https://api.example.com/health?page=2&token=${URL_SECRET}`,
  headers: { Authorization: SECRET, Accept: 'text/plain' },
}
const shown = {
  url: 'https://api.example.com/health?page=2&token=•••',
  headers: { Authorization: '•••', Accept: 'text/plain' },
}

const patch = (id: number, body: object) => service.admin.patch(`${beatsPath}/${id}`, body)

/** The target as workers read it. */
const whole = ({ services, page }: TestService, id: number) =>
  inPageTransaction(services.app, page.id, async (tx) => {
    const beat = await tx.findOneOrFail(Beat, { id })
    return openTarget(tx, services.keyring, secretNameOf(beat), beat.target)
  })

test('secrets are stored for workers, and shown nowhere', async () => {
  const body = { external_id: 'sealed', ...{ target } }
  const made = await makeBeat(service, body)
  expect(made.target).toEqual(shown)
  expect(await whole(service, made.id)).toEqual(target)
  const key = { 'Idempotency-Key': 'sealed' }
  const said = { name: 'K', type: 'http', target, threshold_policies: { warning_rule: { consecutive_failures: 1 } } }
  await service.admin.post(beatsPath, said, key)
  const replayed = await service.admin.post(beatsPath, said, key)
  const refused = await patch(made.id, { target: { ...target, port: 1 } })
  const em = service.services.system.em.fork()
  const kept = await Promise.all(
    ['beat', 'audit_event', 'idempotency_record', 'secret', 'wakeup'].map((table) =>
      em.execute(`select * from ${table}`),
    ),
  )
  const lists = [await service.admin.get(`${beatsPath}?view=full`), await service.admin.get(`${beatsPath}/${made.id}`)]
  expect([replayed.headers.get('idempotent-replayed'), refused.status]).toEqual(['true', 400])
  const seen = JSON.stringify([replayed.body, refused.body, lists.map((one) => one.body), kept])
  expect([seen.includes('s3cret'), seen.includes(URL_SECRET)]).toEqual([false, false])
})

test('a masked target may be sent back with another changed field', async () => {
  const { id } = await makeBeat(service, { target })
  const { body } = await patch(id, { target: { ...shown, method: 'HEAD' } })
  expect([body.version, body.target]).toEqual([2, { ...shown, method: 'HEAD' }])
  expect(await whole(service, id)).toEqual({ ...target, method: 'HEAD' })
})

test('a new secret is a change, and the audit row has its path only', async () => {
  const { id } = await makeBeat(service, { target })
  const changed = { ...shown, headers: { ...shown.headers, Authorization: 'Bearer an0ther' } }
  const { body } = await patch(id, { target: changed })
  expect([body.version, body.target, await changesOf(service, id)]).toEqual([2, shown, 2])
  expect(await whole(service, id)).toEqual({ ...target, headers: changed.headers })
  const [audited] = (await service.admin.get('/admin/audit-events')).body.audit_events
  expect(audited.after).toMatchObject({ target_secrets: ['headers/Authorization: changed'] })
  expect(JSON.stringify(audited)).not.toContain('an0ther')
})

test('a secret that a request leaves out is deleted', async () => {
  const { id } = await makeBeat(service, { target })
  await patch(id, { target: { url: 'https://api.example.com/' } })
  expect(await whole(service, id)).toEqual({ url: 'https://api.example.com/' })
  const again = await patch(id, { target: { ...shown, url: 'https://api.example.com/' } })
  expect(again.body.errors).toMatchObject([{ path: 'target.headers.Authorization' }])
})

test('a change to another server needs the secret again', async () => {
  const { id } = await makeBeat(service, { target })
  const url = 'https://evil.example.com/'
  const refused = await patch(id, { target: { ...shown, url } })
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, 'target.headers.Authorization'])
  expect((await patch(id, { target: { ...target, url } })).body.target).toMatchObject({ url })
  expect((await patch(id, { target: { ...shown, url: `${url}other` } })).status).toBe(200)
  expect(await whole(service, id)).toMatchObject({ headers: target.headers })
})

test('a secret under any usual name is shown nowhere', async () => {
  const url = 'https://api.example.com/?pass=•••&db_pwd=•••&compass=north'
  const names = ['X-Pass', 'X-DB-Pwd', 'X-Bearer', 'X-Pin']
  const headers = (value: string) => ({ ...Object.fromEntries(names.map((name) => [name, value])), 'X-Bypass': 'no' })
  const made = await makeBeat(service, {
    target: { url: url.replaceAll('•••', 'hunter2'), headers: headers('hunter2') },
  })
  expect(made.target).toEqual({ url, headers: headers('•••') })
})

test('the value of an assertion about a secret is a secret at any position of the list', async () => {
  const wants = (header: unknown, json: unknown) => [
    { source: 'body', operator: 'contains', value: 'fine' },
    { source: 'header', path: 'X-Auth-Token', operator: 'equals', value: header },
    { source: 'json', path: '$.user.password', operator: 'in', value: json },
  ]
  const assertions = wants('assertsecret5', ['hunter21', 'hunter22'])
  const made = await makeBeat(service, { type: 'api', target: { ...target, assertions } })
  const hidden = wants('•••', '•••')
  expect(made.target).toEqual({ ...shown, assertions: hidden })
  expect(await whole(service, made.id)).toEqual({ ...target, assertions })
  await patch(made.id, { target: { ...shown, assertions: hidden.slice(1).reverse() } })
  expect(await whole(service, made.id)).toEqual({ ...target, assertions: assertions.slice(1).reverse() })
  const odd = { toString: 1 }
  const masked = [
    { value: '•••' },
    { path: 5, value: '•••' },
    { path: odd, value: '•••' },
    { source: odd, value: '•••' },
  ]
  for (const assertions of [5, null, {}, '•••', [null], ['•••'], ...masked.map((one) => [one])]) {
    expect((await patch(made.id, { target: { ...shown, assertions } })).status).toBe(400)
  }
  for (const url of [odd, [], 5, null]) {
    expect((await patch(made.id, { target: { ...shown, url } })).body.errors?.[0].path).toMatch(/^target\./)
  }
  const em = service.services.system.em.fork()
  const audit = JSON.stringify(await em.execute('select * from audit_event'))
  expect([audit.includes('assertsecret5'), audit.includes('hunter2')]).toEqual([false, false])
  const moved = await patch(made.id, { target: { url: 'https://evil.example.com/', assertions: hidden } })
  expect(moved.body.errors).toMatchObject([
    { path: 'target.assertions.1.value' },
    { path: 'target.assertions.2.value' },
  ])
})

test('the mask of one of several equal assertions is valid only while the request has all of them', async () => {
  const alike = (value: string) => ({ source: 'json', path: '$.token', operator: 'not_equals', value })
  const assertions = [alike('secret-a'), alike('secret-b')]
  const { id } = await makeBeat(service, { type: 'api', target: { ...target, assertions } })
  const one = await patch(id, { target: { ...shown, assertions: [alike('•••')] } })
  expect(one.body.errors).toMatchObject([
    { path: 'target.assertions.0.value', message: expect.stringContaining('stands for') },
  ])
  const changed = await patch(id, { target: { ...shown, assertions: [alike('secret-c'), alike('•••')] } })
  expect(changed.status).toBe(200)
  expect(await whole(service, id)).toMatchObject({ assertions: [alike('secret-c'), alike('secret-b')] })
})

test('secrets are deleted with their beat', async () => {
  const { id } = await makeBeat(service, { target })
  await service.admin.del(`${beatsPath}/${id}`)
  const em = service.services.system.em.fork()
  expect(await em.execute('select 1 from secret where name = ?', [`beat:${id}`])).toEqual([])
})
