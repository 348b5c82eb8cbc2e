import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, json, moment, pageId, pagePolicies } from './columns.ts'

/** A part of a page at an address of its own, with its own readers. */
export const CustomView = defineEntity({
  name: 'CustomView',
  tableName: 'custom_view',
  policies: pagePolicies(),
  uniques: [
    { name: 'custom_view_short_code_key', properties: ['page_id', 'short_code'] },
    { name: 'custom_view_alias_key', properties: ['page_id', 'alias'] },
    { name: 'custom_view_wall_key', properties: ['page_id', 'id'] },
  ],
  properties: {
    id: id(),
    page_id: pageId(),
    short_code: p.text(),
    /** In lower case. */
    alias: p.text().strictNullable(),
    name: p.text(),
    description: p.text(),
    /** With the names that items had when they were chosen: a deleted item has no other record. */
    items: json<{ id: number; name: string }[]>(),
    include_descendants: p.boolean(),
    access_mode: p.text().$type<'public' | 'verified_email' | 'allowed_domains' | 'allowed_emails'>(),
    /** Domains and addresses are in lower case. */
    allowed_domains: json<string[]>(),
    allowed_emails: json<string[]>(),
    managers: json<{ name: string; email: string }[]>(),
    enabled: p.boolean(),
    expires_at: moment().strictNullable(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type CustomView = InferEntity<typeof CustomView>
