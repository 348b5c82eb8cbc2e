import type { Route } from './routes/route.ts'

const ORG_PREFIX = '/api/v1/orgs/{org_id}/pages/{page_id}/admin'

/** Where a route answers: admin routes on a page host and, scoped, on any host. */
export function pathsOf({ door, path }: Route): string[] {
  if (door === 'admin') return [`/api/v1/admin${path}`, `${ORG_PREFIX}${path}`]
  return [`/api/v1${path}`]
}
