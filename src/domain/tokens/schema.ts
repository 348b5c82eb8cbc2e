import { z } from 'zod'
import { levels, roleKeys } from '../kernel/permissions.ts'
import {
  computed,
  inOneLine,
  line,
  moment,
  momentOut,
  readOnly,
  shownOnce,
  text,
  version,
  withoutReadOnly,
} from '../kernel/schema.ts'

export const ApiTokenResource = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    description: z.string().optional(),
    prefix: z.string(),
    permission: z.enum(levels),
    role_key: z.string(),
    state: z.enum(['active', 'revoked', 'expired']),
    iac_managed: z.boolean(),
    version: z.int(),
    created_at: momentOut(),
    created_by: z.string(),
    expires_at: momentOut().nullable().optional(),
    last_used_at: momentOut().nullable().optional(),
    revoked_at: momentOut().nullable().optional(),
    revoke_reason: z.string().optional(),
  })
  .meta({ id: 'APIToken' })

export const CreatedToken = ApiTokenResource.extend({
  token: shownOnce(z.string().optional()).describe('The value of the token, only in the answer to its creation'),
}).meta({ id: 'CreatedAPIToken' })

const derived = {
  ...readOnly('id', 'prefix', 'state', 'created_by', 'revoke_reason', 'iac_managed'),
  ...computed('created_at', 'last_used_at', 'revoked_at'),
}

export const TokenCreateRequest = withoutReadOnly(
  z.strictObject({
    name: inOneLine(line(100)),
    description: text(500).optional(),
    permission: z.enum(levels),
    role_key: z
      .enum(roleKeys)
      .optional()
      .describe('Permission and role both limit the token. Absent: the role of the permission'),
    expires_at: moment().nullable().optional(),
  }),
  derived,
  'version',
)

export const TokenUpdateRequest = z.strictObject({
  name: inOneLine(line(100)).optional(),
  description: text(500).nullable().optional(),
  expires_at: moment().nullable().optional(),
  version: version().optional(),
  ...derived,
  ...readOnly('permission', 'role_key'),
})
