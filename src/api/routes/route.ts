import type { AnyOperation } from '../../domain/kernel/operation.ts'
import type { ForPeople } from '../../page/subscriptions/for-people.ts'
import type { AskingTier } from '../../web/rate-limits.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The access of a route. `admin` routes need a token and have two paths: on the host of a page, and with organization and page
 * on any host. `api` routes need a token and have the path on the host only. `public` routes need no token on a public page.
 * `link` routes need the token of a link, which names the page and the record.
 */
export type Door = 'admin' | 'api' | 'public' | 'link'

export interface Route {
  door: Door
  method: Method
  /** Below `/api/v1` and the door's prefix, with `{parameters}`. */
  path: string
  operation: AnyOperation
  status: 200 | 201 | 202
  tag: string
  /** Waits for the process that answers the stored request of the operation; answers 202 after a timeout. */
  waits?: 'process' | 'check' | 'turn' | 'plan' | 'confirmation'
  /** With `view=full`, adds the state of the workflow in Temporal. */
  inspects?: boolean
  /** The body is a text of this type, which is the field `csv` of the input; the query has the other fields. */
  accepts?: 'text/csv'
  /** The answer is a text of this type: the fields `csv` of the outputs, whose cursors lead through the pages. */
  answers?: 'text/csv'
  /** Counted by this tier. The answer comes at even times, so that its time does not give away what was found. */
  tier?: AskingTier
  /** Browsers call this route too: with forms, and for HTML. */
  people?: ForPeople
  /** The path names a view: only its readers get the answer, and all others this other answer, or none. */
  ofView?: { outside?: AnyOperation }
  /** The answer proves an address to a view: a cookie keeps the proof. */
  proves?: boolean
  /** The new record is a sibling of this path: `/incidents/backfill` creates `/incidents/17`. */
  createsSibling?: boolean
  /** This route finds its record by `external_id`; the route at this path finds the same record by `id`. */
  twinOf?: string
}

type Options = Partial<
  Pick<
    Route,
    'status' | 'waits' | 'inspects' | 'createsSibling' | 'tier' | 'people' | 'accepts' | 'answers' | 'ofView' | 'proves'
  >
>

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

/** Adds a route by `external_id` for each route that names a record with an `external_id` by its id. */
export function withExternalTwins(routes: Route[]): Route[] {
  return routes.flatMap((route) => {
    const { subject } = route.operation
    if (!subject?.external || !route.path.includes('/{id}') || route.door !== 'admin') return [route]
    return [route, { ...route, path: route.path.replace('/{id}', '/external/{external_id}'), twinOf: route.path }]
  })
}
