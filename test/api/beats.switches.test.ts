import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { workflowIdOf } from '../../workflows/processes.ts'
import { beatsPath, changesOf, keptOf, leaveOpen, makeBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const now = new Date('2026-11-21T12:00:00.000Z')

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: now })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())

const patch = (id: number, body: object) => service.admin.patch(`${beatsPath}/${id}`, body)

describe('switches', () => {
  const turn = (id: number, verb: string, body: object = {}) => service.admin.post(`${beatsPath}/${id}/${verb}`, body)

  test('a paused beat is not checked until it is resumed, and a second pause changes nothing', async () => {
    const { id } = await makeBeat(service, { external_id: 'paused' })
    expect((await turn(id, 'pause')).body).toMatchObject({ enabled: false, version: 2 })
    expect((await turn(id, 'pause')).body).toMatchObject({ enabled: false, version: 2 })
    expect(await changesOf(service, id)).toBe(2)
    const resumed = await service.admin.post(`${beatsPath}/external/paused/resume`, { version: 2 })
    expect(resumed.body).toMatchObject({ enabled: true, version: 3 })
    expect([await changesOf(service, id), workflowIdOf(service.woken.at(-1)!)]).toEqual([3, `beat:${id}`])
  })

  test('a mute has an end, which may be now', async () => {
    const { id } = await makeBeat(service)
    const muted = await turn(id, 'mute', { minutes: 30 })
    expect(muted.body).toMatchObject({ muted_until: '2026-11-21T12:30:00.000Z', version: 2 })
    const until = '2026-11-22T00:00:00.000Z'
    expect((await turn(id, 'mute', { muted_until: until })).body.muted_until).toBe(until)
    const ended = (await turn(id, 'mute', { muted_until: null })).body
    expect([ended.muted_until, ended.version]).toEqual([undefined, 4])
    expect(service.woken.at(-1)).toMatchObject({ kind: 'beat', id })
  })

  test.each([
    [{}, /is required/],
    [{ minutes: 1, muted_until: null }, /not both/],
    [{ muted_until: now.toISOString() }, /past/],
  ])('a mute with %j is refused', async (body, message) => {
    const { id } = await makeBeat(service)
    expect((await turn(id, 'mute', body)).body.errors).toEqual([
      { path: 'muted_until', message: expect.stringMatching(message) },
    ])
  })
})

describe('deletion', () => {
  test('frees the external id, ends banners and reviews, and notifies the shard', async () => {
    const { id } = await makeBeat(service, { external_id: 'gone', component_ids: [item] })
    const left = await leaveOpen(service, 'beat', id)
    const group = await service.admin.post('/admin/beat-groups', { name: 'G' })
    const theirs = await leaveOpen(service, 'beat_group', group.body.id, id)
    const { status, body } = await service.admin.del(`${beatsPath}/external/gone`)
    expect([status, body]).toEqual([200, { message: `The beat "Checkout API" (${id}) was deleted.` }])
    expect((await service.admin.get(`${beatsPath}/${id}`)).status).toBe(404)
    expect([await changesOf(service, id), workflowIdOf(service.woken.at(-1)!)]).toEqual([2, `beat:${id}`])
    const because = `the deletion of the beat "Checkout API" (${id})`
    expect(await left()).toEqual({ banner: because, action: `superseded: ${because}` })
    expect(await theirs()).toEqual({ banner: null, action: 'pending_review' })
    const em = service.services.system.em.fork()
    expect(await em.execute('select 1 from beat_component where owner_id = ?', [id])).toEqual([])
    expect((await makeBeat(service, { external_id: 'gone' })).id).not.toBe(id)
  })

  test('is refused for another version', async () => {
    const { id } = await makeBeat(service)
    expect((await service.admin.del(`${beatsPath}/${id}?version=2`)).body.current_version).toBe(1)
    expect((await service.admin.del(`${beatsPath}/${id}?version=1`)).status).toBe(200)
  })
})

describe('a heartbeat', () => {
  const heartbeat = { type: 'heartbeat', target: { period_seconds: 60 }, threshold_policies: {} }

  test('shows its address to writers only, and no record has the address', async () => {
    const reader = service.as(await service.token({ permission: 'read' }))
    const { id, heartbeat_url: url } = await makeBeat(service, heartbeat)
    expect(url).toMatch(/^http:\/\/status\.test\/api\/v1\/heartbeats\/uph_[0-9a-f]{40}$/)
    const at = `${beatsPath}/${id}`
    const read = async (caller: typeof reader) => (await caller.get(at)).body.heartbeat_url
    expect([await read(service.admin), await read(reader)]).toEqual([url, undefined])
    const [audited] = (await service.admin.get('/admin/audit-events')).body.audit_events
    expect(audited).toMatchObject({ operation: 'beats.create', after: { id, type: 'heartbeat' } })
    expect(JSON.stringify(audited)).not.toContain('uph_')
    const { beats } = (await service.admin.get(`${beatsPath}?view=full&type=heartbeat`)).body
    expect(JSON.stringify(beats)).not.toContain('uph_')
    const key = { 'Idempotency-Key': 'heartbeat' }
    const once = () => service.admin.post(beatsPath, { name: 'H', ...heartbeat }, key)
    const [first, again] = [await once(), await once()]
    expect([again.body.id, again.body.heartbeat_url]).toEqual([first.body.id, undefined])
  })

  test('has new due moments after a change of its schedule and after a pause, at the same address', async () => {
    const { id, heartbeat_url: url } = await makeBeat(service, heartbeat)
    const due = async () => {
      const em = service.services.system.em.fork()
      const [row] = await em.execute<{ due_at: string }[]>('select due_at from heartbeat where beat_id = ?', [id])
      return row && new Date(row.due_at).toISOString()
    }
    expect(await due()).toBe('2026-11-21T12:01:00.000Z')
    const { body } = await patch(id, { target: { period_seconds: 600 } })
    expect([body.heartbeat_url, await due()]).toEqual([url, '2026-11-21T12:10:00.000Z'])
    await service.admin.post(`${beatsPath}/${id}/pause`)
    service.now = new Date('2026-11-21T13:00:00.000Z')
    await service.admin.post(`${beatsPath}/${id}/resume`)
    expect(await due()).toBe('2026-11-21T13:10:00.000Z')
    service.now = now
    const other = await patch(id, { type: 'external_event', target: { kind: 'external_event' } })
    expect([other.body.heartbeat_url, await due()]).toEqual([undefined, undefined])
    expect((await patch(id, heartbeat)).body.heartbeat_url).not.toBe(url)
    expect((await service.admin.del(`${beatsPath}/${id}`)).status).toBe(200)
    expect(await due()).toBe(undefined)
  })
})

test('disabling and enabling the beats of a page notifies the shards of each beat', async () => {
  const { id } = await makeBeat(service)
  const { config_version } = (await keptOf(service, id))!
  await service.admin.patch('/admin/settings', { synthetics_region: 'eu' })
  expect(await changesOf(service, id)).toBe(1)
  await service.admin.patch('/admin/settings', { synthetics_enabled: false })
  await service.admin.patch('/admin/settings', { synthetics_enabled: false })
  expect([await changesOf(service, id), (await keptOf(service, id))!.config_version]).toEqual([2, config_version + 1])
  await service.admin.patch('/admin/settings', { synthetics_enabled: null, synthetics_region: null })
  expect(await changesOf(service, id)).toBe(3)
  const { body } = await service.admin.get(`/admin/workflows/beat:${id}/history`)
  const because = /^".*" switched the setting synthetics_enabled (on|off, so that no beat of the page is checked)$/
  const notes = body.events.flatMap(({ message }: { message: string }) => because.exec(message)?.[1] ?? [])
  expect(notes).toEqual(['on', 'off, so that no beat of the page is checked'])
  expect((await service.admin.get(`${beatsPath}/${id}`)).body.version).toBe(1)
})
