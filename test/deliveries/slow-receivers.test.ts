import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import { deliveriesOf } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { openWebhookSink } from '../support/webhook-sink.ts'

/** A mail server that accepts connections and never says a word. */
async function openSilentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function made({ admin }: TestService, path: string, body: object) {
  const { status, body: record } = await admin.post(path, body)
  expect([status, record.message]).toEqual([201, undefined])
  return record
}

test('5 of 100 webhooks and a mail server that hang delay none of the others', async () => {
  const service = await openTestService({ frozenAt: new Date('2027-03-01T10:00:00Z') })
  const deliveries = deliveriesOf(service)
  const sink = await openWebhookSink()
  const mailServer = await openSilentServer()
  const hanging = new Set(['/3', '/23', '/43', '/63', '/83'])
  sink.answer = ({ path }) => ({ status: hanging.has(path) ? -1 : 204 })
  try {
    await service.admin.patch('/admin/settings', {
      ...{ email_delivery_mode: 'smtp', email_smtp_host: '127.0.0.1', email_smtp_port: String(mailServer.port) },
      email_from_address: 'status@example.com',
    })
    for (let n = 0; n < 100; n += 1)
      await made(service, '/admin/subscribers', { channel: 'webhook', url: `${sink.url}/${n}` })
    const confirmed = { channel: 'email', confirmed: true }
    for (let n = 0; n < 30; n += 1)
      await made(service, '/admin/subscribers', { ...confirmed, email: `reader-${n}@example.com` })
    const incident = await made(service, '/admin/incidents', { title: 'Payments fail' })
    let isOver = false
    const sending = deliveries.settle().finally(() => {
      isOver = true
    })
    const notified = async () =>
      (await service.admin.get(`/admin/incidents/${incident.id}/notifications`)).body.events[0]
    const { notification } = await until(notified, ({ sent }) => sent === 95)
    const waiting = `/admin/notifications/${notification.id}/deliveries?state=queued&limit=100`
    const { deliveries: queued } = (await service.admin.get(waiting)).body
    // The others had theirs while these hung: no attempt had ended.
    expect([isOver, queued.length]).toEqual([false, 35])
    await Promise.all([sink.close(), mailServer.close()])
    await sending
    expect(await notified()).toMatchObject({ sent: 95, pending: 35, failed: 0 })
  } finally {
    await deliveries.close()
    await service.close()
  }
})
