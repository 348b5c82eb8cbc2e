import { p } from '@mikro-orm/core'

export const APP_ROLE = 'upbeat_app'
export const SYSTEM_ROLE = 'upbeat_system'

/** Row-level security of a table: the app role sees one page, the system role (sweeps, relays, log-ins) sees all. */
export function pagePolicies(condition = '(page_id = current_page())') {
  return [
    { name: 'page_wall', roles: [APP_ROLE], using: condition, check: condition },
    { name: 'system', roles: [SYSTEM_ROLE], using: 'true', check: 'true' },
  ]
}

export const id = () => p.integer().primary()
export const bigId = () => p.bigint('number').primary()
export const pageId = () => p.integer()
export const moment = () => p.datetime(3)
export const json = <T>() => p.json<T>().columnType('jsonb')
