import { z } from 'zod'
import { readPlace } from '../../../outbound/host-rules.ts'
import { line } from '../../kernel/schema.ts'
import type { CheckedDescription } from './description.ts'
import { host, ipFamily } from './parts.ts'

export const recordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'] as const

const DnsTarget = z
  .strictObject({
    host: host(),
    record: z.enum(recordTypes).optional().describe('By default `A`'),
    expected: z
      .union([line(1000), z.array(line(1000)).min(1).max(50)], { error: 'must be a text or a list of texts' })
      .optional()
      .describe(
        'The records that the answer must contain, in the form of a zone file: `10 mail.example.com` for MX; by default any answer is enough',
      ),
    resolver: line(300)
      .refine((value) => readPlace(value, 53) !== null, 'must be a host or an IP address, with or without a port')
      .optional()
      .describe(
        'The name server, such as `1.1.1.1` or `[2606:4700::1111]:53`; by default the name servers of the worker; required if BEAT_TARGETS is `public`',
      ),
    ip_family: ipFamily().describe(
      'The addresses of the `resolver` to use if the resolver is a name; `record` names the queried record',
    ),
  })
  .meta({ id: 'DnsBeatTarget' })
export type DnsTarget = z.infer<typeof DnsTarget>

/** The resolver of the machine may know private networks, so it is not used if only public addresses may be checked. */
export const NO_PUBLIC_RESOLVER =
  'only public addresses may be reached here, so a dns beat must name a public resolver, such as 1.1.1.1'

export const dns = {
  stageFrom: 'checks',
  target: DnsTarget,
  placesOf: ({ resolver }) =>
    resolver === undefined ? [] : [{ field: 'resolver', ...(readPlace(resolver, 53) ?? { host: resolver }) }],
  publicProblem: ({ resolver }) => (resolver === undefined ? { field: 'resolver', message: NO_PUBLIC_RESOLVER } : null),
} satisfies CheckedDescription<typeof DnsTarget>
