import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

export const ApiToken = defineEntity({
  name: 'ApiToken',
  tableName: 'api_token',
  policies: pagePolicies(),
  properties: {
    id: id(),
    page_id: pageId().index('api_token_page_id_idx'),
    name: p.text(),
    description: p.text().strictNullable(),
    prefix: p.text().unique('api_token_prefix_key'),
    hash: p.text(),
    permission: p.text().$type<'read' | 'write' | 'admin'>(),
    role_key: p.text(),
    iac_managed: p.boolean(),
    version: p.integer(),
    created_at: moment(),
    created_by: p.text(),
    expires_at: moment().strictNullable(),
    last_used_at: moment().strictNullable(),
    revoked_at: moment().strictNullable(),
    revoke_reason: p.text().strictNullable(),
  },
})
export type ApiToken = InferEntity<typeof ApiToken>
