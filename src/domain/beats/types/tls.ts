import { z } from 'zod'
import { host, ipFamily, port, tlsParts } from './parts.ts'

export const TlsTarget = z
  .strictObject({
    host: host(),
    port: port().optional().describe('443 unless set'),
    server_name: host().optional().describe('Whom to ask for and expect, where that is not the host'),
    ip_family: ipFamily(),
    ...tlsParts(),
  })
  .meta({ id: 'TlsBeatTarget' })
export type TlsTarget = z.infer<typeof TlsTarget>
