import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { APP_ROLE, moment, SYSTEM_ROLE } from './columns.ts'

/**
 * From when until when an API process could take calls. Each process keeps a row of its own. The silence of a heartbeat
 * is judged by these rows on behalf of a page, so the app role reads all of them.
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
