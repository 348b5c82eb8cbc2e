import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pagePolicies } from './columns.ts'

export const Page = defineEntity({
  name: 'Page',
  tableName: 'page',
  policies: pagePolicies('(id = current_page())'),
  uniques: [
    { name: 'page_slug_key', properties: ['organization_id', 'page_slug'] },
    { name: 'page_public_slug_key', properties: ['public_slug'] },
  ],
  properties: {
    id: id(),
    organization_id: p.integer(),
    name: p.text(),
    page_slug: p.text(),
    public_slug: p.text(),
    visibility: p.text().$type<'public' | 'private'>(),
    viewer_auth_mode: p.text().$type<'none' | 'password'>(),
    /** Argon2id, in the format of PHC strings. */
    viewer_password_hash: p.text().strictNullable(),
    /** Changes with the password and the mode, which ends the sessions of viewers. */
    viewer_session_key: p.text(),
    version: p.integer(),
    created_at: moment(),
    updated_at: moment(),
  },
})
export type Page = InferEntity<typeof Page>
