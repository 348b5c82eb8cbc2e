import type { AnyOperation } from '../../domain/kernel/operation.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Where a route stands. `admin` routes exist twice: on a page host, and scoped by organization and page anywhere.
 * `api` routes need a token as well, but only on a page host. `public` ones need none on a public page.
 */
export type Door = 'admin' | 'api' | 'public'

export interface Route {
  door: Door
  method: Method
  /** Below `/api/v1` and the door's prefix, with `{parameters}`. */
  path: string
  operation: AnyOperation
  status: 200 | 201
  tag: string
  /** Waits for the process that the operation has written a question for, and answers 202 if that takes too long. */
  waits?: 'process' | 'check'
  /** With `view=full`, adds what Temporal itself knows of the process. */
  inspects?: boolean
  /** What it makes is found beside this path rather than below it: `/incidents/17`, made by `/incidents/backfill`. */
  beside?: boolean
  /** The same route finds its record by `external_id` here, and by `id` at this path. */
  twinOf?: string
}

type Options = Partial<Pick<Route, 'status' | 'waits' | 'inspects' | 'beside'>>

/** The routes of one resource: `const { get, post } = routesOf('admin', 'Incidents')`. */
export function routesOf(door: Door, tag: string) {
  const as =
    (method: Method) =>
    (path: string, operation: AnyOperation, options: Options = {}): Route => ({
      door,
      method,
      path,
      operation,
      tag,
      status: 200,
      ...options,
    })
  return { get: as('GET'), post: as('POST'), put: as('PUT'), patch: as('PATCH'), del: as('DELETE') }
}

/** A thing that has an `external_id` is reached by it on every route that names it by its id. */
export function withExternalTwins(routes: Route[]): Route[] {
  return routes.flatMap((route) => {
    const { subject } = route.operation
    if (!subject?.external || !route.path.includes('/{id}') || route.door === 'public') return [route]
    return [route, { ...route, path: route.path.replace('/{id}', '/external/{external_id}'), twinOf: route.path }]
  })
}
