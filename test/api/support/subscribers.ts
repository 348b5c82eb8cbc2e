import { linksFor } from '../../../src/domain/subscribers/links.ts'
import { NotificationEvent } from '../../../src/persistence/entities/notification-event.ts'
import { Subscriber } from '../../../src/persistence/entities/subscriber.ts'
import type { TestService } from '../../support/test-service.ts'

const MINUTE = 60_000

export const html = { Accept: 'text/html' }
export const form = { ...html, 'Content-Type': 'application/x-www-form-urlencoded' }

/** Subscribers of a service whose clock is frozen, as the public makes them. */
export function subscribersOf(service: () => TestService) {
  const anyone = () => service().as(undefined)
  const em = () => service().services.system.em.fork()
  let addresses = 0
  const freshEmail = () => {
    addresses += 1
    return `person${addresses}@example.com`
  }
  const wait = (minutes: number) => {
    service().now = new Date(service().now.getTime() + minutes * MINUTE)
  }
  const subscribe = (email: string, more: object = {}) => anyone().post('/subscriptions', { email, ...more })
  const subscriberOf = (email: string) => em().findOneOrFail(Subscriber, { address: email.toLowerCase() })

  async function mailsTo(email: string) {
    const { id } = await subscriberOf(email)
    const events = await em().find(NotificationEvent, { subject_kind: 'subscriber', subject_id: id })
    return events.map(({ key }) => key)
  }

  /** The paths of the links that a mail to this address has now. */
  async function linksOf(email: string) {
    const links = linksFor(service().services, service().page, await subscriberOf(email), service().now)
    const below = (url: string | undefined) => url?.replace('http://status.test/api/v1', '')
    return { confirm: below(links.confirm)!, manage: below(links.manage)!, unsubscribe: below(links.unsubscribe)! }
  }

  async function active(more: object = {}) {
    const email = freshEmail()
    await subscribe(email, more)
    await anyone().post((await linksOf(email)).confirm)
    return email
  }
  async function unsubscribed() {
    const email = await active()
    await anyone().post((await linksOf(email)).unsubscribe)
    wait(20)
    return email
  }
  async function suppressed() {
    const email = await active()
    await service().admin.post(`/admin/subscribers/${(await subscriberOf(email)).id}/suppress`)
    return email
  }
  return {
    ...{ anyone, em, freshEmail, wait, subscribe, subscriberOf, mailsTo, linksOf, active, unsubscribed, suppressed },
  }
}
