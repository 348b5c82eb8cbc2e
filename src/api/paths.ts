import type { AnyOperation } from '../domain/kernel/operation.ts'
import type { Route } from './routes/route.ts'

const ORG_PREFIX = '/api/v1/orgs/{org_id}/pages/{page_id}/admin'

export const SLUG_PREFIX = '/api/v1/pages/public/{page_slug}'

/** The paths of a route. Admin routes and public reads answer on the host of a page, and on any host by naming the page. */
export function pathsOf({ door, path }: Route): string[] {
  if (door === 'admin') return [`/api/v1/admin${path}`, `${ORG_PREFIX}${path}`]
  const here = `/api/v1${path}`
  return door === 'public' && !path.startsWith('/pages/public/') ? [here, `${SLUG_PREFIX}${path}`] : [here]
}

const address = ['org_id', 'page_id', 'page_slug', 'id']

/** Whether a path parameter is an input of the operation, and not the address of its subject. */
export const isValue = (name: string, { subject }: AnyOperation) =>
  name === 'external_id' ? subject === undefined : !address.includes(name)
