import type { Channel } from '../channel.ts'
import { render } from './render-rules.ts'
import { openSender } from './sender.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export const webhook: Channel = {
  delays: [5000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)],
  render,
  open: (services) => openSender(services),
}
