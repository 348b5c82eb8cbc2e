import { z } from 'zod'
import type { CheckedDescription } from './description.ts'
import { host, ipFamily, port, tlsParts } from './parts.ts'

const TlsTarget = z
  .strictObject({
    host: host(),
    port: port().optional().describe('By default 443'),
    server_name: host()
      .optional()
      .describe('The requested and expected name of the server, if it differs from the host'),
    ip_family: ipFamily(),
    ...tlsParts(),
  })
  .meta({ id: 'TlsBeatTarget' })
export type TlsTarget = z.infer<typeof TlsTarget>

export const tls = {
  stageFrom: 'checks',
  target: TlsTarget,
  placesOf: ({ host, port = 443 }) => [{ field: 'host', host, port }],
  certificate: 'always',
} satisfies CheckedDescription<typeof TlsTarget>
