import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { creationNote } from '../support/incidents.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const at = (seconds: number) => new Date(START.getTime() + seconds * 1000)

/** Temporal is not there: a test lets processes look when it wants. */
let service: TestService
let answers = false
beforeAll(async () => {
  service = await openTestService({
    frozenAt: START,
    deps: {
      ask: async ({ id }) => {
        if (answers) await look(id)
        return answers
      },
    },
  })
})
beforeEach(() => {
  service.now = START
  answers = false
})
afterAll(() => service.close())

const look = (id: number) =>
  takeStep(service.services, steps.incident, { kind: 'incident', pageId: service.page.id, id, now: service.now })
const report = async (body: object = {}): Promise<number> =>
  (await service.admin.post('/admin/incidents', { title: 'Down', ...body })).body.id
const get = (id: number) => service.admin.get(`/admin/workflows/incident:${id}`)
const list = async (query: string) => (await service.admin.get(`/admin/workflows?limit=100&${query}`)).body
const isListed = async (id: number, query: string) =>
  (await list(query)).workflows.some((workflow: { workflow_id: string }) => workflow.workflow_id === `incident:${id}`)
const states = ['running', 'waiting', 'done', 'stuck'] as const

async function expectState(id: number, state: (typeof states)[number]) {
  expect((await get(id)).body.state).toBe(state)
  for (const one of states) expect([one, await isListed(id, `state=${one}`)]).toEqual([one, one === state])
}

describe('a process', () => {
  test('that was woken and has never looked is running', async () => {
    const id = await report()
    expect((await get(id)).body).toEqual({
      workflow_id: `incident:${id}`,
      kind: 'incident',
      subject: { kind: 'incident', id },
      state: 'running',
      until: null,
      oldest_wakeup_at: START.toISOString(),
      started_at: START.toISOString(),
      updated_at: START.toISOString(),
    })
    await expectState(id, 'running')
    const history = await service.admin.get(`/admin/workflows/incident:${id}/history`)
    expect(history.body).toEqual({
      events: [{ at: START.toISOString(), cause: 'wake-up', message: creationNote(id) }],
      total: 1,
    })
  })

  test('has the entry of a verb in its history at once, before any step', async () => {
    const id = await report()
    const { updates } = (await service.admin.post(`/admin/incidents/${id}/resolve`)).body
    const { body } = await service.admin.get(`/admin/workflows/incident:${id}/history`)
    expect(body.events[0].message).toBe(`woken by update ${updates[0].id}, which resolved the incident`)
    await look(id)
    const after = await service.admin.get(`/admin/workflows/incident:${id}/history`)
    expect(after.body.events).toEqual(body.events)
  })

  test('waits for the next reminder, and says so', async () => {
    const id = await report({ reminder_interval_minutes: 10 })
    await look(id)
    expect((await get(id)).body).toMatchObject({
      state: 'waiting',
      waiting_for: `the reminder at ${at(600).toISOString()}`,
      until: at(600).toISOString(),
      oldest_wakeup_at: null,
    })
    await expectState(id, 'waiting')
    const { body } = await service.admin.get(`/admin/workflows/incident:${id}/history`)
    expect(body.events).toEqual([{ at: START.toISOString(), cause: 'wake-up', message: creationNote(id, at(600)) }])
  })

  test('is running while something that happened waits to be looked at', async () => {
    const id = await report()
    await look(id)
    await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'm' })
    await expectState(id, 'running')
    await look(id)
    await expectState(id, 'waiting')
  })

  test('is stuck when something has waited for its step for a minute, and no process of the page has taken a step', async () => {
    const [never, once] = [await report(), await report()]
    await look(once)
    await service.admin.post(`/admin/incidents/${once}/updates`, { message: 'm' })
    service.now = at(60)
    await expectState(never, 'running')
    await expectState(once, 'running')
    service.now = at(60.001)
    await expectState(never, 'stuck')
    await expectState(once, 'stuck')
  })

  test('waits for its turn, and is not stuck, while other processes of the page take steps', async () => {
    const [waiting, other] = [await report(), await report()]
    service.now = at(300)
    await expectState(waiting, 'stuck')
    await look(other)
    await expectState(waiting, 'running')
  })

  test('is stuck when its steps have failed for a minute, and says so until a step succeeds', async () => {
    const id = await report()
    const failing = async () => {
      throw new TypeError('password=hunter2')
    }
    const call = { kind: 'incident' as const, pageId: service.page.id, id }
    await expect(takeStep(service.services, failing, call)).rejects.toThrow()
    await expectState(id, 'running')
    service.now = at(60.001)
    await expect(takeStep(service.services, failing, call)).rejects.toThrow()
    await expectState(id, 'stuck')
    expect((await get(id)).body.problem).toBe('The last step failed. The log has the details.')
    await look(id)
    expect((await get(id)).body).not.toHaveProperty('problem')
  })

  test('is running when its moment has come, and stuck when that was a minute ago', async () => {
    const id = await report({ reminder_interval_minutes: 10 })
    await look(id)
    await expectState(id, 'waiting')
    service.now = at(660)
    await expectState(id, 'running')
    service.now = at(660.001)
    await expectState(id, 'stuck')
    await look(id)
    await expectState(id, 'waiting')
  })

  test('is done when the incident is resolved', async () => {
    const id = await report()
    await service.admin.post(`/admin/incidents/${id}/resolve`)
    await look(id)
    await expectState(id, 'done')
    expect((await get(id)).body.waiting_for).toContain('resolved')
  })

  test('that never was is a 404', async () => {
    for (const id of ['incident:999999', 'incident', 'nothing:1', 'incident:1:2', "incident:1' or '1'='1"]) {
      const path = `/admin/workflows/${encodeURIComponent(id)}`
      expect([id, (await service.admin.get(path)).status]).toEqual([id, 404])
      expect([id, (await service.admin.get(`${path}/history`)).status]).toEqual([id, 404])
      expect([id, (await service.admin.post(`${path}/wake`)).status]).toEqual([id, 404])
    }
  })
})

describe('the list', () => {
  test('is of one kind or of one subject, if that is asked', async () => {
    const id = await report()
    expect(await isListed(id, 'kind=incident')).toBe(true)
    expect(await isListed(id, 'kind=maintenance')).toBe(false)
    expect((await list(`subject=${id}`)).workflows.map((one: { subject: object }) => one.subject)).toEqual([
      { kind: 'incident', id },
    ])
    expect(await isListed(id, `kind=incident&subject=${id}&state=running`)).toBe(true)
    expect(await isListed(id, `subject=incident:${id}`)).toBe(true)
    expect(await isListed(id, `subject=maintenance:${id}`)).toBe(false)
    const { status, body } = await service.admin.get(`/admin/workflows?kind=item&subject=incident:${id}`)
    expect([status, body.errors[0].path]).toEqual([400, 'subject'])
  })

  test('names the process of a group by the kind of its subject, in records and filters', async () => {
    const { id } = (await service.admin.post('/admin/beat-groups', { name: 'Payments' })).body
    const listed = (await list(`kind=beat_group&subject=beat_group:${id}`)).workflows
    expect(listed).toMatchObject([
      { workflow_id: `beat-group:${id}`, kind: 'beat_group', subject: { kind: 'beat_group', id } },
    ])
    expect((await service.admin.get('/admin/workflows?kind=beat-group')).status).toBe(400)
  })

  test('counts and pages what it shows, looked at or not', async () => {
    service.now = at(10_000)
    const ids: number[] = []
    for (let n = 0; n < 6; n += 1) {
      // Several have changed at the same moment.
      service.now = at(10_000 + Math.floor(n / 2))
      ids.push(await report())
      if (n % 2) await look(ids[n]!)
    }
    const walked: string[] = []
    const all = await list('')
    for (let cursor = ''; ; ) {
      const { body } = await service.admin.get(`/admin/workflows?limit=4${cursor && `&cursor=${cursor}`}`)
      expect(body.total).toBe(all.total)
      walked.push(...body.workflows.map((one: { workflow_id: string }) => one.workflow_id))
      if (!body.next_cursor) break
      cursor = body.next_cursor
    }
    expect(walked).toEqual(all.workflows.map((one: { workflow_id: string }) => one.workflow_id))
    expect(new Set(walked).size).toBe(all.total)
    expect(new Set(walked.slice(0, 6))).toEqual(new Set(ids.map((id) => `incident:${id}`)))
    const running = await list('state=running')
    expect(running.total).toBe(running.workflows.length)
    expect(running.total).toBeLessThan(all.total)
  })

  test('shows no other page’s, and no other page is shown one of these', async () => {
    const id = await report()
    const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
    expect((await service.otherAdmin.get(`${prefix}/workflows`)).body).toEqual({ workflows: [], total: 0 })
    expect((await service.otherAdmin.get(`${prefix}/workflows/incident:${id}`)).status).toBe(404)
  })
})

describe('asking a process to look', () => {
  test('a wake-up answers 202 with a location if the process does not answer', async () => {
    const id = await report()
    const { status, headers, body } = await service.admin.post(`/admin/workflows/incident:${id}/wake`)
    expect([status, headers.get('location')]).toEqual([202, `/api/v1/admin/workflows/incident:${id}`])
    expect(body).toEqual({ request_id: expect.any(Number), workflow: expect.objectContaining({ state: 'running' }) })
  })

  test('answers 200 with the process as it stands then, when it does', async () => {
    const id = await report()
    answers = true
    const { status, body } = await service.admin.post(`/admin/workflows/incident:${id}/wake`)
    expect([status, body.workflow.state]).toEqual([200, 'waiting'])
    const { body: history } = await service.admin.get(`/admin/workflows/incident:${id}/history`)
    expect(history.events.map((event: { message: string }) => event.message).join()).toContain('woken by a request of')
  })
})
