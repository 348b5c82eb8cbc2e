import { z } from 'zod'
import { text } from '../../kernel/schema.ts'
import { host, ipFamily, port } from './parts.ts'

export const TcpTarget = z
  .strictObject({
    host: host(),
    port: port(),
    send: text(4000)
      .optional()
      .describe(
        'What to say once connected. Kept as it is and shown to those who may read the beat: no place for a secret',
      ),
    expect: text(1000).min(1).optional().describe('What the other side must say; without it, a connection is enough'),
    ip_family: ipFamily(),
  })
  .meta({ id: 'TcpBeatTarget' })
export type TcpTarget = z.infer<typeof TcpTarget>
