import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { type Body, bodyOf } from '../web/answers/bodies.ts'
import { sendBody } from '../web/answers/send-body.ts'
import { allowCaching } from '../web/headers.ts'
import type { ApiState } from '../web/state.ts'
import { docsScript } from './docs-script.ts'
import { openApiDocument } from './openapi.ts'
import { pathsOf } from './paths.ts'
import { routes } from './routes/index.ts'

const swaggerUi = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')
const { version } = createRequire(import.meta.url)(swaggerUi) as { version: string }

const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
}

/** The version in an address changes with its file, so that browsers may cache the file forever. */
const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Upbeat API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/docs/swagger-ui.css?version=${version}">
<link rel="preload" href="/api/v1/openapi.json" as="fetch" crossorigin="anonymous">
<div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js?version=${version}"></script>
<script src="/api/docs/start.js"></script>
</html>
`

const contentPolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const REVALIDATED = 'public, no-cache'
const KEPT = 'public, max-age=31536000, immutable'

interface Options {
  baseUrl: string
  limit: Middleware<ApiState>
}

/** The answer at the prefix of the API, with links. */
const entrance = {
  name: 'Upbeat',
  version: 'v1',
  documents: { openapi: '/api/v1/openapi.json', docs: '/api/docs' },
  public_reads: routes
    .filter(({ door, method }) => door === 'public' && method === 'GET')
    .flatMap(pathsOf)
    .sort(),
}

/** The OpenAPI document and a page that shows it. */
export function serveDocuments(router: Router<ApiState>, { baseUrl, limit }: Options): void {
  const serve = (path: string, route: string, show: (ctx: Context) => unknown) => {
    const note: Middleware<ApiState> = (ctx, next) => {
      ctx.state.route = route
      return next()
    }
    router.register(path, ['GET', 'HEAD'], [note, limit, show] as never)
  }
  const document = prepared('application/json', REVALIDATED, async () =>
    JSON.stringify(await openApiDocument(routes, { baseUrl })),
  )
  serve('/api/v1/openapi.json', '/api/v1/openapi.json', document)
  const entranceText = prepared('application/json', REVALIDATED, async () => JSON.stringify(entrance))
  serve('/api/v1', '/api/v1', entranceText)
  const page = prepared('text/html', REVALIDATED, async () => docsPage)
  serve('/api/docs', '/api/docs', (ctx) => {
    ctx.set('Content-Security-Policy', contentPolicy)
    ctx.set('Referrer-Policy', 'no-referrer')
    return page(ctx)
  })
  serve(
    '/api/docs/start.js',
    '/api/docs',
    prepared('text/javascript', REVALIDATED, async () => docsScript),
  )
  for (const [name, type] of Object.entries(assets)) {
    serve(
      `/api/docs/${name}`,
      '/api/docs',
      prepared(type, KEPT, () => readFile(join(dirname(swaggerUi), name))),
    )
  }
}

/** An answer that is the same for all requests, made at the first request. */
function prepared(type: string, caching: string, make: () => Promise<string | Buffer>) {
  let made: Promise<Body> | undefined
  return async (ctx: Context) => {
    made ??= make()
      .then(bodyOf)
      .catch((error) => {
        made = undefined
        throw error
      })
    const body = await made
    ctx.type = type
    allowCaching(ctx, caching)
    await sendBody(ctx, body)
  }
}
