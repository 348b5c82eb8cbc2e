import { z } from 'zod'
import { inOneLine, line, moment, momentOut, shownOnce } from '../../kernel/schema.ts'

export const AccessLinkResource = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    prefix: z.string(),
    state: z.enum(['active', 'expired']),
    created_at: momentOut(),
    created_by: z.string(),
    expires_at: momentOut(),
  })
  .meta({ id: 'AccessLink' })

export const CreatedAccessLink = AccessLinkResource.extend({
  token: shownOnce(z.string().optional()).describe(
    'Only in the answer to the creation: the value of `access` in addresses',
  ),
  url: shownOnce(z.string().optional()).describe('Only in the answer to the creation: the page with the token'),
}).meta({ id: 'CreatedAccessLink' })

export const AccessLinkCreateRequest = z.strictObject({
  name: inOneLine(line(100)),
  expires_at: moment().describe('In the future, within one year'),
})
