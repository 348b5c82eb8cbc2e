import type { Channel } from '../channel.ts'
import { render } from './render-rules.ts'
import { openSender } from './sender.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FIRST = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR]
const EACH = 8 * HOUR
const IN_ALL = 72 * HOUR

/** After the first attempts every 8 h, and none later than 72 h after the first attempt. */
const further = Math.floor((IN_ALL - FIRST.reduce((sum, delay) => sum + delay, 0)) / EACH)

export const email: Channel = {
  delays: [...FIRST, ...Array.from({ length: further }, () => EACH)],
  render,
  open: (services) => openSender(services),
}
