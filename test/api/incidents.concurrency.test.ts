import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import type { Answer } from '../support/caller.ts'
import { openIncident, resolve } from '../support/incidents.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { passed } from '../support/wait.ts'

const MINUTE_MS = 5
const CLIENTS = 20

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ minuteMs: MINUTE_MS })
  item = (await service.admin.post('/admin/hierarchy/items', { name: 'Search' })).body.id
})
afterAll(() => service.close())

interface Done {
  what: 'update' | 'change' | 'resolve' | 'reopen'
  message?: string
  sent?: number
  answer: Answer
}

/** What one client does, one thing after the other, some of it with the version that it last read. */
async function client(id: number, number: number): Promise<Done[]> {
  const path = `/admin/incidents/${id}`
  const message = (turn: number) => `by ${number}, turn ${turn}`
  const update = async (turn: number, body: object = {}) => ({
    what: 'update' as const,
    message: message(turn),
    answer: await service.admin.post(`${path}/updates`, { message: message(turn), ...body }),
  })
  const change = async (sent?: number) => ({
    what: 'change' as const,
    sent,
    answer: await service.admin.patch(path, { title: `T${number}`, version: sent }),
  })
  const read = async () => (await service.admin.get(path)).body.version
  const seen = await read()
  return [
    number % 2 ? await update(1, { status: 'major_outage' }) : await update(1),
    await change(number % 3 ? undefined : seen),
    number % 4
      ? await update(2, { status: number % 5 ? undefined : 'resolved' })
      : { what: 'resolve', answer: await service.admin.post(`${path}/resolve`) },
    await change(await read()),
    number % 3 ? await update(3) : { what: 'reopen', answer: await service.admin.post(`${path}/reopen`) },
  ]
}

test('twenty clients at once: no change is lost, and the timeline is one that can have been', async () => {
  const { id } = await openIncident(service, { affected_items: [{ id: item }] })
  const done = (await Promise.all(Array.from({ length: CLIENTS }, (_one, number) => client(id, number)))).flat()
  const { body } = await service.admin.get(`/admin/incidents/${id}`)
  const oldestFirst = body.updates.toReversed()

  for (const { what, sent, answer } of done.filter(({ answer }) => answer.status >= 300)) {
    expect([what, answer.status]).toEqual([what, 409])
    if (answer.body.code === 'version_conflict') expect(answer.body.current_version).toBeGreaterThan(sent!)
    else expect([what, answer.body.code]).toEqual(['update', 'conflict'])
  }

  const succeeded = done.filter(({ answer }) => answer.status < 300)
  const shown = oldestFirst.map((update: { message: string }) => update.message)
  for (const { message } of succeeded.filter(({ what }) => what === 'update')) {
    expect(shown.filter((one: string) => one === message)).toEqual([message])
  }
  const changes = succeeded.filter(({ what }) => what === 'change').map(({ answer }) => answer.body.version)
  expect(new Set(changes).size).toBe(changes.length)
  // Each entry is one acknowledged change, and so is each change of the title; what was so already counts for nothing.
  expect(body.version).toBe(1 + oldestFirst.length + changes.length)

  const { audit_events } = (await service.admin.get('/admin/audit-events?limit=100')).body
  const rows = audit_events.filter(
    (event: { subject: { id: number }; operation: string }) =>
      event.subject.id === id && /^incidents\.(update|updates\.create|resolve|reopen)$/.test(event.operation),
  )
  expect(rows).toHaveLength(body.version - 1)

  let status = 'degraded'
  for (const update of oldestFirst) {
    expect(update.previous_status).toBe(status)
    expect(update.is_resolution).toBe(status !== 'resolved' && update.status === 'resolved')
    status = update.status
  }
  expect(body.status).toBe(status)
  const statusOf = (await service.admin.get(`/admin/hierarchy/items/${item}`)).body.status
  expect(statusOf).toBe(status === 'resolved' ? 'operational' : status)
  await resolve(service, id)
})

interface Notified {
  id: number
  key: string
  due_at: string
}

async function notificationsOf(id: number): Promise<Notified[]> {
  const { body } = await service.admin.get(`/admin/notifications?subject=incident:${id}&limit=100`)
  return body.notifications
}

test('no reminder is written once the resolving was acknowledged', async () => {
  let reminded = 0
  for (let round = 0; round < 40; round += 1) {
    const { id } = await openIncident(service, { reminder_interval_minutes: 1 })
    const look = () =>
      takeStep(service.services, steps.incident, { kind: 'incident', pageId: service.page.id, id, now: service.now })
    await passed(new Date(Date.now() + MINUTE_MS + (round % 5)))
    const racing = [look(), look(), resolve(service, id).then(() => notificationsOf(id)), look(), look()] as const
    const known = await racing[2]
    await Promise.all(racing)
    await look()
    const shown = await notificationsOf(id)
    expect(shown).toEqual(known)
    const end = shown.find(({ key }) => key === 'incident.resolved')!
    const reminders = shown.filter(({ key }) => key === 'incident.reminder')
    for (const reminder of reminders) expect(reminder.id).toBeLessThan(end.id)
    expect(new Set(reminders.map(({ due_at }) => due_at)).size).toBe(reminders.length)
    reminded += reminders.length
  }
  expect(reminded).toBeGreaterThan(0)
})
