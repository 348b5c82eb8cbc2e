import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { moment, SYSTEM_ROLE } from './columns.ts'

/** Values of the whole installation, such as the id of the last Temporal database. */
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
