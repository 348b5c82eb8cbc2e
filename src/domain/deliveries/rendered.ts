import type { Delivery } from '../../persistence/entities/delivery.ts'
import { NotificationEvent } from '../../persistence/entities/notification-event.ts'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { Context } from '../kernel/context.ts'
import type { Rendered } from '../notifications/channels/channel.ts'
import { type ChannelName, channels } from '../notifications/channels/index.ts'
import { settingsOf } from '../settings/stored.ts'
import { messageFor } from './message.ts'
import { narrowingFor } from './view-narrowing.ts'

/** The message of a delivery, written again from the facts that it was written from; undefined without a message. */
export async function renderedFor(ctx: Context, delivery: Delivery): Promise<Rendered | undefined> {
  const { tx, services, page, now } = ctx
  if (!Object.hasOwn(channels, delivery.channel)) return undefined
  const event = await tx.findOne(NotificationEvent, { id: delivery.notification_id })
  if (!event?.content) return undefined
  const { subscriber_id, address } = delivery
  const channel = delivery.channel as ChannelName
  const subscriber = subscriber_id === null ? null : await tx.findOne(Subscriber, { id: subscriber_id })
  const to = {
    ...{ subscriber_id: subscriber ? subscriber_id : null, channel, address },
    shown_address: subscriber?.shown_address ?? null,
    locale: subscriber?.locale ?? null,
    time_zone: subscriber?.time_zone ?? null,
    subscriber_state: subscriber?.state ?? null,
    confirmation_number: subscriber?.confirmation_number ?? null,
  }
  const settings = await settingsOf(tx)
  const narrowed = await narrowingFor(tx, to.subscriber_id === null ? [] : [to.subscriber_id])
  const message = messageFor({ services, page, settings, now, secrets: new Map(), narrowed }, to, [event])
  const rendered = channels[channel].render(message)
  return settings.email_delivery_mode === 'log' ? rendered : withoutLinks(rendered, message.recipient.links)
}

/** The links of a recipient act in the name of the recipient. */
function withoutLinks(rendered: Rendered, links: Record<string, string | undefined>): Rendered {
  const masked = (text: string) =>
    Object.values(links).reduce<string>((left, link) => (link ? left.replaceAll(link, '[link]') : left), text)
  return JSON.parse(masked(JSON.stringify(rendered))) as Rendered
}
