import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { claimFound, startSearch } from '../../activities/deliveries/search.ts'
import { notificationStep } from '../../src/domain/deliveries/notification-step.ts'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { deliveriesOf, type TestDeliveries } from '../support/deliveries.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'

const signal = new AbortController().signal

/** A search of parts that end when the test says so. */
function searchOf(parts: number, ended = signal) {
  const gates = Array.from({ length: parts }, () => Promise.withResolvers<boolean>())
  let begun = 0
  const search = startSearch(() => {
    begun += 1
    return gates[begun - 1]!.promise
  }, ended)
  return { ...search, gates, begun: () => begun }
}

describe('the search for recipients', () => {
  test('ends after the part that is the last', async () => {
    const { gates, done, part, begun } = searchOf(2)
    gates[0]!.resolve(true)
    gates[1]!.resolve(false)
    await done
    expect([begun(), part()]).toEqual([2, undefined])
  })

  test('begins no further part once the errand is cancelled', async () => {
    const cancelling = new AbortController()
    const { gates, done, begun } = searchOf(2, cancelling.signal)
    cancelling.abort()
    gates[0]!.resolve(true)
    await done
    expect(begun()).toBe(1)
  })

  test('a claim takes what is due while a part is being found, and waits for the part with nothing due', async () => {
    const { gates, part, done } = searchOf(2)
    const due = [['first'], [], ['second'], []]
    const claim = async () => due.shift()!
    expect(await claimFound(claim, part)).toEqual(['first'])
    const later = claimFound(claim, part)
    await new Promise(setImmediate)
    expect(due).toHaveLength(2)
    gates[0]!.resolve(true)
    expect(await later).toEqual(['second'])
    gates[1]!.resolve(false)
    await done
    expect(await claimFound(claim, part)).toEqual([])
  })

  test('a part that fails ends the search and the claims that wait', async () => {
    const { gates, part, done } = searchOf(1)
    const waiting = claimFound(async () => [], part)
    gates[0]!.reject(new Error('the database is away'))
    await expect(waiting).rejects.toThrow('the database is away')
    await expect(done).rejects.toThrow('the database is away')
    expect(part()).toBeUndefined()
  })
})

describe('a page with more subscribers than a part', () => {
  let service: TestService
  let deliveries: TestDeliveries
  let sink: WebhookSink
  beforeAll(async () => {
    service = await openTestService()
    deliveries = deliveriesOf(service)
    sink = await openWebhookSink()
  })
  afterAll(async () => {
    await deliveries?.close()
    await sink?.close()
    await service?.close()
  })

  test('the first and the last subscriber get a message, and the others are counted with the reason', async () => {
    const webhook = (name: string) =>
      service.admin.post('/admin/subscribers', { channel: 'webhook', url: `${sink.url}/${name}` })
    await webhook('first')
    await service.services.system.em.fork().execute(
      `insert into subscriber (page_id, channel, address, shown_address, state, frequency, source, confirmation_number,
          bounce_count, version, created_at, updated_at)
        select ?, 'email', n || '@example.com', n || '@example.com', 'unsubscribed', 'immediate', 'admin', 1, 0, 1, now(), now()
        from generate_series(1, 4200) n`,
      [service.page.id],
    )
    await webhook('last')
    const { id } = (await service.admin.post('/admin/incidents', { title: 'Payments fail' })).body
    await deliveries.settle()
    expect(sink.received.map(({ path }) => path).sort()).toEqual(['/first', '/last'])
    const { events } = (await service.admin.get(`/admin/incidents/${id}/notifications`)).body
    expect(events[0]).toMatchObject({
      sent: 2,
      not_sent: [{ reason: 'subscriber_unsubscribed', count: 4200 }],
      notification: { state: 'done' },
    })
  })

  test('the first step looks at few of them, so that sending begins early', async () => {
    const { services, admin, page, now } = service
    const { id: incident } = (await admin.post('/admin/incidents', { title: 'Payments fail again' })).body
    const { notifications } = (await admin.get(`/admin/notifications?subject=incident:${incident}`)).body
    const { id } = notifications[0]
    await takeStep(services, notificationStep, { kind: 'notification', id, pageId: page.id, now })
    const [row] = await services.system.em.fork().execute<{ count: number }[]>(
      `select count(*)::int as count from notification_event e
        join subscriber s on s.page_id = e.page_id and s.id <= e.expanded_to where e.id = ?`,
      [id],
    )
    expect(row!.count).toBe(500)
  })
})
