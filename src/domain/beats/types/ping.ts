import { z } from 'zod'
import { host, ipFamily } from './parts.ts'

export const PingTarget = z
  .strictObject({
    host: host(),
    count: z.int().min(1).max(20).optional().describe('How many echoes to ask for; 3 unless set'),
    ip_family: ipFamily(),
  })
  .meta({ id: 'PingBeatTarget' })
export type PingTarget = z.infer<typeof PingTarget>
