import { z } from 'zod'
import { text } from '../../kernel/schema.ts'
import type { CheckedDescription } from './description.ts'
import { host, ipFamily, port } from './parts.ts'

const TcpTarget = z
  .strictObject({
    host: host(),
    port: port(),
    send: text(4000)
      .optional()
      .describe(
        'The text to send after connecting. Stored in plain text and shown to readers of the beat: must not contain a secret',
      ),
    expect: text(1000)
      .min(1)
      .optional()
      .describe('The text that the target must send; by default a connection is enough'),
    ip_family: ipFamily(),
  })
  .meta({ id: 'TcpBeatTarget' })
export type TcpTarget = z.infer<typeof TcpTarget>

export const tcp = {
  stageFrom: 'checks',
  target: TcpTarget,
  placesOf: ({ host, port }) => [{ field: 'host', host, port }],
} satisfies CheckedDescription<typeof TcpTarget>
