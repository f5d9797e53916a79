import { type Ctx, callIn } from '../kit/context.ts'
import type { Page } from '../kit/html/page.ts'
import type { World } from '../kit/world.ts'
import { authenticate } from '../modules/auth/calls/authenticate.ts'
import { readBody } from './body.ts'
import { callerOf } from './caller.ts'
import type { App, Http } from './http.ts'

const pageBodyLimit = 64 * 1024

/** Mounts hosted pages: for people and mail programs, so nobody is asked who they are; links are signed instead. */
export function mountPages(app: App, world: World, pages: Page[]): void {
  const served = pages.filter(({ mailboxOnly }) => !mailboxOnly || world.config.mailbox)
  for (const page of served) app.on(page.method, page.path, (http) => show(world, page, http))
}

async function show(world: World, page: Page, http: Http): Promise<Response> {
  const { incoming } = http.env
  const ctx = await contextOf(world, page, http)
  const form = incoming.method === 'POST' ? (await readBody(incoming, pageBodyLimit)).toString('utf8') : ''
  const answer = await page.handle(ctx, {
    method: incoming.method ?? 'GET',
    params: http.req.param() as Record<string, string>,
    query: Object.fromEntries(new URL(http.req.url).searchParams),
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    body: Object.fromEntries(new URLSearchParams(form)),
  })
  const headers = new Headers(answer.headers)
  for (const cookie of ctx.answer.cookies ?? []) headers.append('Set-Cookie', cookie)
  return new Response(bodiless.has(answer.status) ? null : (answer.body as BodyInit), { status: answer.status, headers })
}

// Of these a body may not even be empty (Fetch, "null body status").
const bodiless = new Set([204, 304])

async function contextOf(world: World, page: Page, { env: { incoming } }: Http): Promise<Ctx> {
  const requestId = String(incoming.headers['x-request-id'])
  const caller = callerOf(world, incoming, requestId)
  if (!page.forAccounts) return callIn(world, { requestId, ...(caller.client && { client: caller.client }) })
  // Our pages send no referrer, so that the Origin of their own forms is "null"; Sec-Fetch-Site tells whose they are.
  const origin = caller.origin === 'null' ? undefined : caller.origin
  return authenticate(world, { ...caller, origin }, { access: 'none', method: page.method })
}
