import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { id, moment, pageId, pagePolicies } from './columns.ts'

/** A code that was sent to an address, to prove it to a view. The code follows from the key of the service and the id. */
export const ViewAccessRequest = defineEntity({
  name: 'ViewAccessRequest',
  tableName: 'view_access_request',
  policies: pagePolicies(),
  indexes: [{ name: 'view_access_request_email_idx', properties: ['page_id', 'view_id', 'email', 'id'] }],
  properties: {
    id: id(),
    page_id: pageId(),
    view_id: p.integer(),
    email: p.text(),
    locale: p.text().strictNullable(),
    /** Wrong codes. */
    tries: p.integer(),
    expires_at: moment(),
    created_at: moment(),
  },
})
export type ViewAccessRequest = InferEntity<typeof ViewAccessRequest>
