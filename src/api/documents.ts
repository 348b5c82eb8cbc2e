import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Router from '@koa/router'
import { openApiDocument } from './openapi.ts'
import { routes } from './routes/index.ts'
import type { ApiState } from './state.ts'

const assets: Record<string, string> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
}

const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Upbeat API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<div id="docs"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</html>
`

const startScript = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#docs', deepLinking: true })\n`

const contentPolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

/** The OpenAPI document and a page that shows it. */
export function serveDocuments(router: Router<ApiState>, { baseUrl }: { baseUrl: string }): void {
  // Made when somebody asks: the making takes ten times the room of what is made.
  let document: string | undefined
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  router.get('/api/v1/openapi.json', (ctx) => {
    ctx.state.route = '/api/v1/openapi.json'
    ctx.type = 'application/json'
    document ??= JSON.stringify(openApiDocument(routes, { baseUrl }))
    ctx.body = document
  })
  router.get('/api/docs', (ctx) => {
    ctx.state.route = '/api/docs'
    ctx.set('Content-Security-Policy', contentPolicy)
    ctx.type = 'text/html'
    ctx.body = docsPage
  })
  router.get('/api/docs/start.js', (ctx) => {
    ctx.state.route = '/api/docs'
    ctx.type = 'text/javascript'
    ctx.body = startScript
  })
  for (const [name, type] of Object.entries(assets)) {
    router.get(`/api/docs/${name}`, async (ctx) => {
      ctx.state.route = '/api/docs'
      ctx.set('Cache-Control', 'public, max-age=86400')
      ctx.type = type
      ctx.body = await readFile(join(folder, name))
    })
  }
}
