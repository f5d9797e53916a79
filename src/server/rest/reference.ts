import { describeRoutes } from '../../kit/openapi.ts'
import type { World } from '../../kit/world.ts'
import { readAsset } from '../assets.ts'
import type { App } from '../http.ts'
import { routes } from '../routes.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postwire API reference</title><script type="module" src="/docs/reference.js"></script></head>
<body style="margin:0"><rapi-doc spec-url="/openapi.json" render-style="read" theme="light" primary-color="#3451b2" show-header="false"
 load-fonts="false" regular-font="system-ui, sans-serif" mono-font="ui-monospace, monospace" schema-style="table" allow-try="true"
 allow-spec-file-load="false" allow-spec-url-load="false" persist-auth="false"></rapi-doc></body></html>`

/** Serves /openapi.json and /docs, a rendered reference that loads nothing from outside. */
export function mountReference(app: App, world: World): void {
  let document: string | undefined
  app.get('/openapi.json', (http) => {
    document ??= JSON.stringify(describeRoutes(routes, { url: world.publicUrl }))
    return http.body(document, 200, { 'Content-Type': 'application/json; charset=utf-8' })
  })
  app.get('/docs', (http) => http.html(page, 200, { 'Content-Security-Policy': policy }))
  app.get('/docs/reference.js', async (http) => {
    const script = await readAsset('rapidoc.js', http.req.header('accept-encoding'))
    const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=86400', ...script.headers }
    return http.body(script.body, 200, headers)
  })
}
