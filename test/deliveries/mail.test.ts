import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { type MailServerForTests, openMailServer, reply } from '../notifications/email/mail-server.ts'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let deliveries: TestDeliveries
let server: MailServerForTests
const refused = new Set<string>()
beforeAll(async () => {
  server = await openMailServer({
    onRcptTo({ address }, _session, done) {
      done(refused.has(address) ? reply(`550 5.1.1 <${address}>: No such user`) : undefined)
    },
  })
  service = await openTestService({ frozenAt: new Date('2027-03-01T10:00:00Z') })
  deliveries = deliveriesOf(service)
})
afterAll(async () => {
  await deliveries?.close()
  await service?.close()
  await server?.close()
})

const smtp = () => ({
  ...{ email_delivery_mode: 'smtp', email_smtp_host: '127.0.0.1', email_smtp_port: String(server.port) },
  email_from_address: 'status@example.com',
})
beforeEach(async () => {
  const em = service.services.system.em.fork()
  for (const table of ['delivery', 'notification_event', 'subscriber', 'incident_impact'])
    await em.execute(`delete from ${table}`)
  refused.clear()
  await service.admin.patch('/admin/settings', smtp())
  server.mails.length = 0
})

const pass = (hours: number) => {
  service.now = new Date(service.now.getTime() + hours * 3_600_000)
}
const subscriber = async (email: string, fields = {}) =>
  (await service.admin.post('/admin/subscribers', { channel: 'email', email, confirmed: true, ...fields })).body
const incident = async (title: string) => (await service.admin.post('/admin/incidents', { title })).body
const complaint = { email: 'ops@example.com', kind: 'complaint' }
const stateOf = async (id: number) => (await service.admin.get(`/admin/subscribers/${id}`)).body
const linkIn = (text: string | undefined, purpose: string) =>
  new URL(new RegExp(`http\\S+/subscriptions/${purpose}\\?token=[\\w-]+`).exec(text ?? '')![0])
const call = (link: URL, method: string, body?: string) =>
  fetch(`${service.url}${link.pathname}${link.search}`, {
    ...{ method, redirect: 'manual' },
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    ...(body === undefined ? {} : { body }),
  })

test('a stranger subscribes, confirms with the link of the mail, is notified, and unsubscribes with one click', async () => {
  const asked = await service.as(undefined).post('/subscriptions', { email: 'Ada@Example.com' })
  expect(asked.status).toBe(202)
  await deliveries.settle()
  const [confirmation] = server.mails
  expect(confirmation!.to).toEqual(['Ada@example.com'])
  const confirm = linkIn(confirmation!.parsed.text, 'confirm')
  await incident('Before the confirmation')
  expect((await call(confirm, 'GET')).status).toBe(200)
  await deliveries.settle()
  expect(server.mails).toHaveLength(1)
  expect((await call(confirm, 'POST')).status).toBe(200)
  await incident('Payments fail')
  await deliveries.settle()
  expect(server.mails).toHaveLength(2)
  const mail = server.mails[1]!.parsed
  expect(mail.subject).toContain('Payments fail')
  expect(mail.headers.get('list')).toMatchObject({ 'unsubscribe-post': expect.anything() })
  const unsubscribe = linkIn(String(mail.html), 'unsubscribe')
  expect((await call(unsubscribe, 'GET')).status).toBe(200)
  await incident('Still subscribed')
  await deliveries.settle()
  expect(server.mails).toHaveLength(3)
  for (let twice = 0; twice < 2; twice += 1) {
    expect((await call(unsubscribe, 'POST', 'List-Unsubscribe=One-Click')).status).toBe(200)
  }
  await incident('After the end')
  await deliveries.settle()
  expect(server.mails).toHaveLength(3)
})

test('an address that refuses mail for good is suppressed', async () => {
  const { id } = await subscriber('gone@example.com')
  refused.add('gone@example.com')
  const { id: incidentId } = await incident('Payments fail')
  await deliveries.settle()
  expect(await stateOf(id)).toMatchObject({
    ...{ state: 'suppressed', bounce_count: 1, version: 2 },
    suppression_reason: expect.stringContaining('hard bounce'),
  })
  const [event] = (await service.admin.get(`/admin/incidents/${incidentId}/notifications`)).body.events
  expect(event).toMatchObject({ failed: 1, sent: 0 })
  expect(event.deliveries[0]).toMatchObject({ state: 'failed', attempts: [{ smtp_code: 550 }] })
  const viewer = service.as(await service.token({ permission: 'read', roleKey: 'page_admin' }))
  const { body: seen } = await viewer.get(`/admin/incidents/${incidentId}/notifications`)
  expect(event.deliveries[0].attempts[0].answer).toContain('[recipient]')
  expect(Object.keys(seen.events[0].deliveries[0].attempts[0])).toEqual(['at', 'smtp_code', 'duration_ms'])
  expect(JSON.stringify(seen)).not.toContain('gone@example.com')
  expect((await stateOf(id)).suppression_reason).not.toContain('gone@example.com')
})

test('in the mode log nothing is sent, and admins read the mail with its links', async () => {
  await service.admin.patch('/admin/settings', { email_delivery_mode: 'log' })
  await service.as(undefined).post('/subscriptions', { email: 'eve@example.com' })
  await deliveries.settle()
  expect(server.mails).toEqual([])
  const { body } = await service.admin.get('/admin/deliveries?channel=email')
  expect(body.deliveries[0]).toMatchObject({ state: 'suppressed', reason: 'email_delivery_mode_log' })
  const { rendered } = (await service.admin.get(`/admin/deliveries/${body.deliveries[0].id}`)).body
  expect((await call(linkIn(rendered.text, 'confirm'), 'POST')).status).toBe(200)
  expect((await service.admin.get('/admin/subscribers?state=active')).body.total).toBe(1)
})

test('links that act for a person are masked in what admins read of a sent mail', async () => {
  await subscriber('ada@example.com')
  await incident('Payments fail')
  await deliveries.settle()
  const { body } = await service.admin.get('/admin/deliveries?channel=email')
  const { rendered } = (await service.admin.get(`/admin/deliveries/${body.deliveries[0].id}`)).body
  expect(rendered.subject).toContain('Payments fail')
  expect(JSON.stringify(rendered)).not.toContain('token=')
})

test('a mail names the affected items and the page in the language of the subscriber', async () => {
  const german = (values: object) => ({ translations: [{ locale: 'de', values, state: 'published' }] })
  await service.admin.patch('/admin/settings', { site_title: 'Acme', ...german({ site_title: 'Firma' }) })
  const { body: item } = await service.admin.post('/admin/hierarchy/items', {
    ...{ name: 'Search', ...german({ name: 'Suche' }) },
  })
  await subscriber('ada@example.com', { locale: 'de' })
  await service.admin.post('/admin/incidents', { title: 'Slow', affected_items: [{ id: item.id }] })
  await deliveries.settle()
  const { body } = await service.admin.get('/admin/deliveries?channel=email')
  const { rendered } = (await service.admin.get(`/admin/deliveries/${body.deliveries[0].id}`)).body
  for (const words of ['Suche', 'Wird untersucht', 'Firma']) expect(rendered.text).toContain(words)
})

test('a mail leads to its incident, in the language of the subscriber if the page has this language', async () => {
  await service.admin.patch('/admin/settings', { multilingual_enabled: true, multilingual_public_ready: true })
  await subscriber('ada@example.com', { locale: 'de' })
  await subscriber('bob@example.com')
  const translations = [{ locale: 'de', values: { title: 'Langsam' }, state: 'published' }]
  const { id } = (await service.admin.post('/admin/incidents', { title: 'Slow', translations })).body
  await deliveries.settle()
  const texts = Object.fromEntries(server.mails.map(({ to, parsed }) => [to[0], parsed.text]))
  expect(texts['ada@example.com']).toContain(`http://status.test/status/first/incidents/${id}?locale=de\n`)
  expect(texts['bob@example.com']).toContain(`http://status.test/status/first/incidents/${id}\n`)
  await service.admin.patch('/admin/settings', { multilingual_enabled: false, multilingual_public_ready: false })
})

test('what waits for a daily mail follows the time zone of the subscriber, and is sent at once without daily mails', async () => {
  const daily = await subscriber('moves@example.com', { frequency: 'daily', time_zone: 'Asia/Tokyo' })
  await incident('An outage')
  await deliveries.settle()
  const waiting = async () =>
    (await service.admin.get(`/admin/deliveries?subscriber_id=${daily.id}&state=queued`)).body.deliveries[0]
      .next_attempt_at
  const own = `/admin/subscribers/${daily.id}`
  expect(await waiting()).toMatch(/T00:00:00/)
  const woken = { kind: 'digest', id: service.page.id, pageId: service.page.id }
  service.woken.length = 0
  await service.admin.patch(own, { time_zone: 'America/Phoenix' })
  expect(service.woken).toContainEqual(woken)
  expect(await waiting()).toMatch(/T16:00:00/)
  await service.as(undefined).post('/subscriptions/manage-link', { email: 'moves@example.com' })
  await deliveries.settle()
  const link = linkIn(server.mails[0]!.parsed.text, 'manage')
  await service.as(undefined).post(`/subscriptions/manage${link.search}`, { time_zone: 'Asia/Dubai' })
  expect(await waiting()).toMatch(/T05:00:00/)
  server.mails.length = 0
  await service.admin.patch(own, { frequency: 'immediate' })
  await deliveries.settle()
  expect(server.mails.map(({ to }) => to)).toEqual([['moves@example.com']])
})

test('a daily subscriber gets one mail at nine with all that happened, and none without news', async () => {
  await service.admin.patch('/admin/settings', { reliability_policy_timezone: 'Europe/Berlin' })
  await subscriber('daily@example.com', { frequency: 'daily' })
  await subscriber('tokyo@example.com', { frequency: 'daily', time_zone: 'Asia/Tokyo' })
  const { id } = await incident('First outage')
  await incident('Second outage')
  await deliveries.settle()
  expect(server.mails).toEqual([])
  const { body } = await service.admin.get(`/admin/incidents/${id}/notifications`)
  expect(body.events[0]).toMatchObject({ notification: { state: 'done' }, pending: 2 })
  // 09:00 in Tokyo is midnight UTC, 14 hours later; in Berlin it is 08:00 UTC.
  pass(15)
  await deliveries.settle()
  expect(server.mails.map(({ to }) => to)).toEqual([['tokyo@example.com']])
  pass(8)
  await deliveries.settle()
  expect(server.mails.map(({ to }) => to)).toEqual([['tokyo@example.com'], ['daily@example.com']])
  for (const { parsed } of server.mails) {
    expect(parsed.text).toContain('First outage')
    expect(parsed.text).toContain('Second outage')
  }
  const [event] = (await service.admin.get(`/admin/incidents/${id}/notifications`)).body.events
  expect(event).toMatchObject({ sent: 2, pending: 0 })
  pass(24)
  await deliveries.settle()
  expect(server.mails).toHaveLength(2)
})

test('the alert of a long incident goes to the recipients in the settings, once for each time without an update', async () => {
  await service.admin.patch('/admin/settings', {
    ...{ notify_on_long_running_incidents: true, long_running_incident_no_update_hours: 4 },
    ...{
      long_running_incident_notify_email: true,
      long_running_incident_email_recipients: 'ops@example.com, OPS@example.com',
    },
  })
  const { id } = await incident('Payments fail')
  const step = () =>
    takeStep(service.services, steps.incident, { kind: 'incident', id, pageId: service.page.id, now: service.now })
  expect((await step()).until).toEqual(new Date(service.now.getTime() + 4 * 3_600_000))
  pass(4)
  await step()
  await step()
  await deliveries.settle()
  expect(server.mails.map(({ to }) => to)).toEqual([['ops@example.com']])
  pass(10)
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'We are on it.' })
  await step()
  await deliveries.settle()
  expect(server.mails).toHaveLength(1)
  pass(4)
  await step()
  await deliveries.settle()
  expect(server.mails).toHaveLength(2)
  await service.admin.patch('/admin/settings', { notify_on_long_running_incidents: false })
})

const alerting = {
  ...{ notify_on_long_running_incidents: true, long_running_incident_no_update_hours: 4 },
  ...{ long_running_incident_notify_email: true, long_running_incident_email_recipients: 'ops@example.com' },
}

test.each([
  ['complained', () => service.admin.post('/admin/subscribers/bounces', complaint), 'subscriber_suppressed'],
  [
    'was removed from the settings',
    () => service.admin.patch('/admin/settings', { long_running_incident_email_recipients: 'other@example.com' }),
    'not_in_settings',
  ],
  [
    'gets no alerts any more',
    () => service.admin.patch('/admin/settings', { long_running_incident_notify_email: false }),
    'not_in_settings',
  ],
])(
  'an alert is not sent to a recipient in the settings that %s after it was planned',
  async (_what, change, reason) => {
    await service.admin.patch('/admin/settings', alerting)
    await subscriber('ops@example.com', {
      subscriptions: [{ scope: { kind: 'page' }, event_kinds: ['incident.resolved'] }],
    })
    const { id } = await incident('Payments fail')
    pass(4)
    await takeStep(service.services, steps.incident, {
      kind: 'incident',
      id,
      pageId: service.page.id,
      now: service.now,
    })
    const { body } = await service.admin.get('/admin/notifications?key=incident.long_running')
    const alert = body.notifications[0].id as number
    const process = { kind: 'notification' as const, id: alert, pageId: service.page.id, now: service.now }
    await takeStep(service.services, steps.notification, process)
    const deliveriesOfAlert = async () =>
      (await service.admin.get(`/admin/notifications/${alert}/deliveries?channel=email`)).body.deliveries
    expect(await deliveriesOfAlert()).toMatchObject([{ state: 'queued' }])
    expect((await change()).status).toBe(200)
    await deliveries.settle()
    expect(await deliveriesOfAlert()).toMatchObject([{ state: 'suppressed', reason }])
    expect(server.mails).toEqual([])
    await service.admin.patch('/admin/settings', { notify_on_long_running_incidents: false })
  },
)

test('a retry to a recipient whom the settings no longer name is refused', async () => {
  await service.admin.patch('/admin/settings', alerting)
  refused.add('ops@example.com')
  const { id } = await incident('Payments fail')
  pass(4)
  await takeStep(service.services, steps.incident, { kind: 'incident', id, pageId: service.page.id, now: service.now })
  await deliveries.settle()
  const [failed] = (await service.admin.get('/admin/deliveries?channel=email&state=failed')).body.deliveries
  await service.admin.patch('/admin/settings', { long_running_incident_email_recipients: '' })
  const { status, body } = await service.admin.post(`/admin/deliveries/${failed.id}/retry`)
  expect([status, body.error]).toEqual([409, expect.stringContaining('the settings no longer name its address')])
  await service.admin.patch('/admin/settings', { notify_on_long_running_incidents: false })
})

test('a link does not act for another address that has the number of its subscriber after a restore', async () => {
  await service.as(undefined).post('/subscriptions', { email: 'first@example.com' })
  await deliveries.settle()
  const confirm = linkIn(server.mails[0]!.parsed.text, 'confirm')
  await service.services.system.em.fork().execute(`update subscriber set address = 'second@example.com'`)
  expect((await call(confirm, 'POST')).status).toBe(410)
})

test('the alert of a maintenance that is not over goes to its own recipients', async () => {
  await service.admin.patch('/admin/settings', {
    ...{ notify_on_long_running_maintenances: true, long_running_maintenance_after_end_hours: 3 },
    ...{
      long_running_maintenance_notify_email: true,
      long_running_maintenance_email_recipients: 'planning@example.com',
    },
  })
  const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'Database' })
  const { body: maintenance } = await service.admin.post('/admin/maintenances', {
    ...{ title: 'Upgrade', status: 'in_progress', affected_items: [{ id: item.id }] },
    scheduled_start_time: service.now.toISOString(),
    scheduled_end_time: new Date(service.now.getTime() + 3_600_000).toISOString(),
  })
  const process = { kind: 'maintenance' as const, id: maintenance.id, pageId: service.page.id }
  const reasonOf = async (path: string, changes: object) => {
    expect((await service.admin.patch(path, changes)).status).toBe(200)
    const sql = 'select reason from wakeup where workflow_id = ? order by id desc limit 1'
    const em = service.services.system.em.fork()
    const [wakeup] = await em.execute<{ reason: string }[]>(sql, [`maintenance:${maintenance.id}`])
    return wakeup?.reason
  }
  for (const hours of [4, 3]) {
    const reason = await reasonOf('/admin/settings', { long_running_maintenance_after_end_hours: hours })
    expect(reason).toBe('a change of the settings of long-running maintenances')
  }
  for (const minutes of [30, null]) {
    const reason = await reasonOf('/admin/chat/settings', { maintenance_reminder_pre_end_minutes: minutes })
    expect(reason).toBe('a change of the lead times of reminders in the settings')
  }
  for (const hours of [3, 1, 5]) {
    pass(hours)
    await takeStep(service.services, steps.maintenance, { ...process, now: service.now })
    await deliveries.settle()
  }
  expect(server.mails.map(({ to, parsed }) => [to, parsed.subject])).toEqual([
    [['planning@example.com'], expect.stringContaining('Upgrade')],
  ])
})
