import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, SYSTEM_ROLE } from './columns.ts'

/** What this installation remembers about itself across pages, such as which Temporal it last spoke to. */
export const Installation = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  policies: [{ name: 'system', roles: [SYSTEM_ROLE], using: 'true', check: 'true' }],
  properties: {
    key: p.text().primary(),
    value: p.text(),
    updated_at: moment(),
  },
})
export type Installation = InferEntity<typeof Installation>
