import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { actionsOf, look } from '../support/acting.ts'
import { evaluate, eventOf, makeEndpoint, makeEventBeat, makeTrigger, send, stageOf } from '../support/ingest.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

test('an event sets the stage of a beat, a repeated one updates the evidence, and the recovery ends the stage', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat])
  const fire = await send(service, token, { state: 'firing', alert: 'cpu', text: 'CPU at 99 %' })
  expect(fire).toMatchObject({ status: 202, body: { status: 'accepted', duplicate: false } })
  expect(await eventOf(service, fire.body.event_id)).toMatchObject({ state: 'pending', payload: { alert: 'cpu' } })
  await evaluate(service, id)
  expect(await stageOf(service, beat)).toBe('critical')
  expect(await eventOf(service, fire.body.event_id)).toMatchObject({
    state: 'evaluated',
    evaluations: [
      {
        ...{ outcome: 'transition', stage: 'critical', fingerprint: 'cpu', transition: { beat_id: beat, number: 1 } },
        explanation: `Stage critical: the fingerprint "cpu" opened; transition 1 of the beat "Orders" (${beat}) followed`,
      },
    ],
  })
  const again = await send(service, token, { state: 'firing', alert: 'cpu', text: 'CPU at 98 %' })
  const recovery = await send(service, token, { state: 'ok', alert: 'cpu' })
  await evaluate(service, id)
  expect((await eventOf(service, again.body.event_id)).evaluations).toMatchObject([{ outcome: 'evidence_updated' }])
  expect((await eventOf(service, recovery.body.event_id)).evaluations).toMatchObject([{ outcome: 'transition' }])
  expect(await stageOf(service, beat)).toBe('healthy')
})

test('ids beyond 2^53 that differ in their last digit are two fingerprints, and are shown as they were sent', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat])
  const event = (state: string, alert: string) => `{"state":"${state}","alert":${alert},"count":7,"n":1e400}`
  const fire = await send(service, token, event('firing', '6543210987654321001'))
  await send(service, token, event('firing', '6543210987654321002'))
  await send(service, token, event('ok', '6543210987654321002'))
  await evaluate(service, id)
  const { open_fingerprints } = (await service.admin.get(`/admin/beats/${beat}`)).body
  expect(open_fingerprints).toMatchObject([{ fingerprint: '6543210987654321001', stage: 'critical' }])
  const { payload } = await eventOf(service, fire.body.event_id)
  expect(payload).toEqual({ state: 'firing', alert: '6543210987654321001', count: 7, n: '1e400' })
})

const alerts = {
  each_path: '$.alerts[*]',
  conditions: { path: '$.status', operator: 'exists' },
  stage_mapping: { state_path: '$.status', values: { firing: 'critical', resolved: 'healthy' } },
  output_mapping: { fingerprint_path: '$.fingerprint', observed_at_path: "$['endsAt','startsAt']" },
}

test('each alert of a payload is evaluated by itself, and an absent alert stays open', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat], alerts)
  const alert = (fingerprint: string, status: string) => ({
    ...{ fingerprint, status, startsAt: '2026-01-01T10:00:00Z' },
    endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-01-01T11:00:00Z',
  })
  await send(service, token, { status: 'firing', alerts: [alert('a', 'firing'), alert('b', 'firing')] })
  const second = await send(service, token, {
    status: 'resolved',
    truncatedAlerts: 3,
    alerts: [alert('a', 'resolved')],
  })
  await evaluate(service, id)
  expect(await stageOf(service, beat)).toBe('critical')
  const { open_fingerprints } = (await service.admin.get(`/admin/beats/${beat}`)).body
  expect(open_fingerprints).toMatchObject([{ fingerprint: 'b', stage: 'critical', since: '2026-01-01T10:00:00.000Z' }])
  expect((await eventOf(service, second.body.event_id)).evaluations[0].explanation).toContain('left 3 alerts out')
  const closed = await service.admin.post(`/admin/beats/${beat}/open-fingerprints/close`, { fingerprint: 'b' })
  expect(closed.body).toMatchObject({ current_stage: 'healthy', open_fingerprints: [] })
})

test('all orders of a repeated fire and its recovery end alike', async () => {
  const { id, token } = await makeEndpoint(service)
  const payload = (status: string, startsAt: string, endsAt: string) => ({
    alerts: [{ fingerprint: 'a', status, startsAt, endsAt }],
  })
  const never = '0001-01-01T00:00:00Z'
  const fire = payload('firing', '2026-01-01T10:00:00Z', never)
  const again = payload('firing', '2026-01-01T10:05:00Z', never)
  const resolve = payload('resolved', '2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z')
  for (const order of [
    [fire, again, resolve],
    [again, resolve, fire],
    [resolve, fire, again],
    [resolve, again, fire],
  ]) {
    const beat = await makeEventBeat(service)
    const trigger = await makeTrigger(service, id, [beat], alerts)
    for (const event of order.flatMap((one) => [one, one])) await send(service, token, event)
    await evaluate(service, id)
    const { current_stage, open_fingerprints } = (await service.admin.get(`/admin/beats/${beat}`)).body
    expect([current_stage, open_fingerprints]).toEqual(['healthy', []])
    await service.admin.del(`/admin/external-triggers/${trigger.id}`)
  }
})

test('a fingerprint that no event names any more is resolved after its silence timeout', async () => {
  const frozen = await openTestService({ frozenAt: new Date('2030-01-01T00:00:00Z') })
  const { id, token } = await makeEndpoint(frozen)
  const beat = await makeEventBeat(frozen)
  await makeTrigger(frozen, id, [beat], { silence_minutes: 30 })
  await send(frozen, token, { state: 'firing', alert: 'cpu' })
  await evaluate(frozen, id)
  frozen.now = new Date('2030-01-01T00:20:00Z')
  await send(frozen, token, { state: 'firing', alert: 'cpu' })
  const { until } = await evaluate(frozen, id)
  expect(until).toEqual(new Date('2030-01-01T00:50:00Z'))
  frozen.now = new Date('2030-01-01T00:49:59Z')
  await evaluate(frozen, id)
  expect(await stageOf(frozen, beat)).toBe('critical')
  frozen.now = new Date('2030-01-01T00:50:00Z')
  await evaluate(frozen, id)
  expect(await stageOf(frozen, beat)).toBe('healthy')
  const notes = await frozen.services.system.em
    .fork()
    .execute("select message from process_note where cause = 'silence'")
  const message = `the fingerprint "cpu" of the beat "Orders" (${beat}) is resolved: no event since 2030-01-01T00:20:00.000Z`
  expect(notes).toEqual([{ message }])
  await frozen.close()
})

test('a draft that an event caused names the event, and the notification has its redacted payload', async () => {
  const { id, token } = await makeEndpoint(service, { name: 'Pager', external_id: 'pager' })
  const beat = await makeEventBeat(service, {
    affected_items_freetext: 'The shop',
    action_policies: { critical: { public_post: true, public_post_mode: 'automatic' } },
  })
  const trigger = await makeTrigger(service, id, [beat], { safety_settings: { public_post_mode: 'draft_only' } })
  const { body } = await send(service, token, {
    state: 'firing',
    alert: 'cpu',
    password: 'hunter2',
    text: 'Bearer abcdefgh12345',
  })
  await evaluate(service, id)
  await look(service, 'beat', beat)
  const [action] = await actionsOf(service, beat)
  expect(action).toMatchObject({
    ...{ state: 'pending_review', mode: 'draft_only' },
    source: {
      ...{ source_id: id, source_name: 'Pager', source_external_id: 'pager', inbox_event_id: body.event_id },
      ...{ trigger_id: trigger.id, fingerprint: 'cpu', target_stage: 'critical' },
    },
  })
  expect(action.source.payload_preview).toContain('"password":"[redacted]"')
  const { body: notified } = await service.admin.get('/admin/notifications?key=beat.review_requested')
  const { data } = notified.notifications.find(
    (one: { data: { beat_action_id: number } }) => one.data?.beat_action_id === action.id,
  )
  expect(data.source).toMatchObject({ trigger_id: trigger.id, fingerprint: 'cpu' })
  for (const secret of ['hunter2', 'abcdefgh12345']) {
    expect(JSON.stringify([action, data, await eventOf(service, body.event_id)])).not.toContain(secret)
  }
})

test('a group stands for its beats that take external events', async () => {
  const { id, token } = await makeEndpoint(service)
  const { body: group } = await service.admin.post('/admin/beat-groups', { name: 'Shop' })
  const beats = [
    await makeEventBeat(service, { beat_group_id: group.id }),
    await makeEventBeat(service, { beat_group_id: group.id }),
  ]
  await makeTrigger(service, id, [], { associations: [{ monitor_id: group.id, kind: 'beat_group' }] })
  await send(service, token, { state: 'degraded', alert: 'cpu' })
  await evaluate(service, id)
  for (const beat of beats) expect(await stageOf(service, beat)).toBe('warning')
})

test('a trigger that is too expensive is disabled after ten events in a row, and the others go on', async () => {
  const { id, token } = await makeEndpoint(service)
  const [beat, other] = [await makeEventBeat(service), await makeEventBeat(service)]
  const slow = { path: '$..[?count($..*)<1]', operator: 'equals', value: 'x' }
  const expensive = await makeTrigger(service, id, [other], { conditions: slow })
  await makeTrigger(service, id, [beat])
  const list = Array.from({ length: 600 }, (_, index) => ({ a: { b: { c: [index, { d: index }] } } }))
  const sent = []
  // Eight events before these were too expensive.
  await service.services.system.em
    .fork()
    .execute('update event_trigger set expensive_count = 8 where id = ?', [expensive.id])
  for (let n = 0; n < 2; n += 1) sent.push(await send(service, token, { state: 'firing', alert: 'cpu', list }))
  for (let pending = true; pending; ) pending = (await evaluate(service, id)).says !== 'an event'
  const outcomes = (await eventOf(service, sent[0]!.body.event_id)).evaluations.map(
    (one: { outcome: string }) => one.outcome,
  )
  expect(outcomes).toEqual(['too_expensive', 'transition'])
  expect(await stageOf(service, beat)).toBe('critical')
  const { body } = await service.admin.get(`/admin/external-triggers/${expensive.id}`)
  expect(body).toMatchObject({ enabled: false, disabled_because: 'it used too much CPU time for 10 events in a row' })
  const { banners } = (await service.admin.get(`/admin/banners?state=open&beat_id=${other}`)).body
  expect(banners).toHaveLength(1)
})

test('a beat that is enabled again has the stage of the events that arrived meanwhile', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat])
  await send(service, token, { state: 'firing', alert: 'cpu' })
  await evaluate(service, id)
  await service.admin.post(`/admin/beats/${beat}/pause`, {})
  const { body } = await send(service, token, { state: 'ok', alert: 'cpu' })
  await evaluate(service, id)
  expect((await eventOf(service, body.event_id)).evaluations[0].outcome).toBe('suppressed')
  expect(await stageOf(service, beat)).toBe('critical')
  await service.admin.post(`/admin/beats/${beat}/resume`, {})
  expect(await stageOf(service, beat)).toBe('healthy')
})

test('no secret of an event is in an explanation, and masked ids stay different', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  await makeTrigger(service, id, [beat], {
    stage_mapping: { state_path: '$.password', values: { x: 'warning' } },
  })
  const first = await send(
    service,
    token,
    { state: 'firing', alert: 'cpu', password: 'hunter2' },
    { 'X-Uri': `/x/${token}` },
  )
  await makeTrigger(service, id, [beat], { stage_mapping: { default_stage: 'critical' } })
  const ids = []
  for (const alert of ['Bearer abcdefgh12345678', 'Bearer abcdefgh87654321']) {
    ids.push((await send(service, token, { state: 'firing', alert })).body.event_id)
  }
  await evaluate(service, id)
  const seen = [
    await eventOf(service, first.body.event_id),
    await eventOf(service, ids[0]),
    await eventOf(service, ids[1]),
  ]
  for (const secret of ['hunter2', token, 'abcdefgh']) expect(JSON.stringify(seen)).not.toContain(secret)
  const prints = seen.slice(1).map(({ evaluations }) => evaluations.at(-1).fingerprint)
  expect(new Set(prints).size).toBe(2)
})

test('four triggers that are too expensive delay no other trigger, and the inbox goes on', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  const slow = { path: '$..[?count($..*)<1]', operator: 'equals', value: 'x' }
  for (let n = 0; n < 4; n += 1) await makeTrigger(service, id, [], { conditions: slow, enabled: true })
  await makeTrigger(service, id, [beat])
  const list = Array.from({ length: 600 }, (_, index) => ({ a: { b: { c: [index, { d: index }] } } }))
  const { body } = await send(service, token, { state: 'firing', alert: 'cpu', list })
  for (let rest = true; rest; ) rest = (await evaluate(service, id)).says !== 'an event'
  const { evaluations } = await eventOf(service, body.event_id)
  expect(evaluations.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    ...Array(4).fill('too_expensive'),
    'transition',
  ])
})

test('a source that sends nanoseconds, or a clock far ahead, counts by its arrival', async () => {
  const { id, token } = await makeEndpoint(service)
  const beat = await makeEventBeat(service)
  const output_mapping = { fingerprint_path: '$.alert', observed_at_path: '$.time' }
  await makeTrigger(service, id, [beat], { output_mapping })
  await send(service, token, { state: 'firing', alert: 'cpu', time: 1_795_341_483_000_000_000 })
  await send(service, token, { state: 'ok', alert: 'cpu', time: '2999-01-01T00:00:00Z' })
  await evaluate(service, id)
  expect(await stageOf(service, beat)).toBe('healthy')
})
