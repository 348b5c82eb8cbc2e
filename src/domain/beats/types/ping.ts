import { z } from 'zod'
import type { CheckedDescription } from './description.ts'
import { host, ipFamily } from './parts.ts'

const PingTarget = z
  .strictObject({
    host: host(),
    count: z.int().min(1).max(20).optional().describe('How many echoes to send; by default 3'),
    ip_family: ipFamily(),
  })
  .meta({ id: 'PingBeatTarget' })
export type PingTarget = z.infer<typeof PingTarget>

export const ping = {
  stageFrom: 'checks',
  target: PingTarget,
  placesOf: ({ host }) => [{ field: 'host', host }],
  measuresPacketLoss: true,
  program: {
    name: 'ping',
    missing: 'there is no ping program on this machine: install one (Debian: iputils-ping), or use a tcp beat',
  },
} satisfies CheckedDescription<typeof PingTarget>
