import { callIn } from '../kit/context.ts'
import type { Page } from '../kit/page.ts'
import type { World } from '../kit/world.ts'
import { readBody } from './body.ts'
import type { App, Http } from './http.ts'

const pageBodyLimit = 64 * 1024

/** Mounts hosted pages: for people and mail programs, so nobody is asked who they are; links are signed instead. */
export function mountPages(app: App, world: World, pages: Page[]): void {
  const served = pages.filter(({ mailboxOnly }) => !mailboxOnly || world.config.mailbox)
  for (const page of served) app.on(page.method, page.path, (http) => show(world, page, http))
}

async function show(world: World, page: Page, http: Http): Promise<Response> {
  const { incoming } = http.env
  const client = { address: incoming.socket.remoteAddress, userAgent: incoming.headers['user-agent'] }
  const ctx = callIn(world, { requestId: String(incoming.headers['x-request-id']), client })
  const form = incoming.method === 'POST' ? (await readBody(incoming, pageBodyLimit)).toString('utf8') : ''
  const answer = await page.handle(ctx, {
    method: incoming.method ?? 'GET',
    params: http.req.param() as Record<string, string>,
    query: Object.fromEntries(new URL(http.req.url).searchParams),
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])),
    body: Object.fromEntries(new URLSearchParams(form)),
  })
  return new Response(answer.body as BodyInit, { status: answer.status, headers: answer.headers })
}
