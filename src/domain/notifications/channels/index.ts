import type { Channel, Sender, SenderServices } from './channel.ts'
import { email } from './email/index.ts'
import { webhook } from './webhook/index.ts'

/** The ways to reach recipients. */
export const channels = { email, webhook } as const satisfies Record<string, Channel>

export type ChannelName = keyof typeof channels

export const openSenders = (services: SenderServices): Record<ChannelName, Sender> => ({
  email: channels.email.open(services),
  webhook: channels.webhook.open(services),
})
