import type { HostedPage } from '../../kit/html/page.ts'
import { describeRoutes } from '../../kit/openapi/document.ts'
import type { World } from '../../kit/world.ts'
import { cookieName } from '../../modules/auth/sessions/cookie.ts'
import { type Asset, generatedAsset, textAsset, wantedBy } from '../assets.ts'
import { routes } from '../routes.ts'

// What each group of routes is about.
const tags = {
  v1: 'The public API: send an email, track an event, check an address.',
  contacts: 'People of a project, their subscription and custom data.',
  suppressions: 'Addresses that emails are withheld from.',
  segments: 'Named groups of contacts: those that match a condition, or those that were added.',
  templates: 'Stored emails with Liquid placeholders.',
  emails: 'What was sent, and what became of it.',
  events: 'What contacts did, as tracked.',
  activity: 'Everything that happened in a project, newest first.',
  analytics: 'What became of emails over time, and how campaigns and events compare.',
  domains: 'Domains that a project may send from, and their DNS records.',
  uploads: 'Pictures for emails.',
  auth: 'Sign-up, sign-in, verification and passwords.',
  projects: 'Accounts, projects, their members, keys, limits and billing.',
  webhooks: 'Calls of other services, which applications do not make.',
  system: 'Health, readiness and what this installation offers.',
  campaigns: 'Emails to many contacts, sent once.',
  workflows: 'Steps that contacts go through one after the other.',
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Postwire API reference</title><script type="module" src="/docs/reference.js"></script></head>
<body style="margin:0"><rapi-doc spec-url="/openapi.json" render-style="read" theme="light" primary-color="#3451b2" show-header="false"
 load-fonts="false" regular-font="system-ui, sans-serif" mono-font="ui-monospace, monospace" schema-style="table" allow-try="true"
 allow-spec-file-load="false" allow-spec-url-load="false" persist-auth="false"></rapi-doc></body></html>`

/** The OpenAPI document of an installation. */
export function documentOf(world: Pick<World, 'publicUrl'>): Record<string, unknown> {
  return describeRoutes(routes, { url: world.publicUrl, sessionCookie: cookieName(world), tags })
}

/** /openapi.json and /docs, the rendered API reference, which loads nothing from other sites. */
export function referencePages(): HostedPage[] {
  // The address of the installation is known when the first request has come.
  let document: Asset | undefined
  const explorer = textAsset(() => page)
  const script = generatedAsset('rapidoc.js')
  const get = (path: string, handle: HostedPage['handle']): HostedPage => ({ method: 'GET', path, handle })
  return [
    get('/openapi.json', async ({ world }, { headers }) => {
      document ??= textAsset(() => JSON.stringify(documentOf(world)))
      return document.answer(wantedBy(headers), typed('application/json'))
    }),
    get('/docs', async (_ctx, { headers }) =>
      explorer.answer(wantedBy(headers), { ...typed('text/html'), 'Content-Security-Policy': policy }),
    ),
    get('/docs/reference.js', async (_ctx, { headers }) =>
      script.answer(wantedBy(headers), { ...typed('text/javascript'), 'Cache-Control': 'public, max-age=86400' }),
    ),
  ]
}

function typed(type: string): Record<string, string> {
  return { 'Content-Type': `${type}; charset=utf-8` }
}
