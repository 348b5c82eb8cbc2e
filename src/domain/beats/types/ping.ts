import { z } from 'zod'
import { host, ipFamily } from './parts.ts'

export const PingTarget = z
  .strictObject({
    host: host(),
    count: z.int().min(1).max(20).optional().describe('How many echoes to send; by default 3'),
    ip_family: ipFamily(),
  })
  .meta({ id: 'PingBeatTarget' })
export type PingTarget = z.infer<typeof PingTarget>
