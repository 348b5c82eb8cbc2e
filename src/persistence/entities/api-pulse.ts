import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { APP_ROLE, moment, SYSTEM_ROLE } from './columns.ts'

/**
 * The span of time in which an API process could take calls, one row for each process. Whether a call of a heartbeat is
 * missed depends on these rows, so the app role reads all rows.
 */
export const ApiPulse = defineEntity({
  name: 'ApiPulse',
  tableName: 'api_pulse',
  policies: [
    { name: 'readers', roles: [APP_ROLE], using: 'true', check: 'false' },
    { name: 'system', roles: [SYSTEM_ROLE], using: 'true', check: 'true' },
  ],
  properties: {
    process_id: p.text().primary(),
    able_since: moment(),
    seen_at: moment(),
  },
})
export type ApiPulse = InferEntity<typeof ApiPulse>
