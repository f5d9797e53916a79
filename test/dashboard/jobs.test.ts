import { afterAll, expect, test } from 'vitest'
import { startWorker } from '../../src/server/worker.ts'
import { openBrowser } from '../help/browser.ts'
import { openWindow, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

// The worker begins when a page is open, so that each page sees its job wait and end.
const server = await testServer({ running: true })
const browser = await openBrowser()

async function waitingJob() {
  const { projectId, secret } = await freshProject(server.world)
  const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
  const call = (route: string, body: unknown) => server.call(route, body, { key: secret })
  const { body: contact } = await call('POST /contacts', { email: 'ada@example.com' })
  const { body } = await call('POST /contacts/bulk-unsubscribe', { contactIds: [contact.id] })
  const opened = await openWindow(browser, server, { cookie })
  afterAll(() => opened.context.close())
  return { page: opened.page, address: `${server.url}/app/${projectId}/contacts?job=${body.jobId}` }
}

test('what is pushed about a job stands against an older answer that comes after it, and a busy server is asked again', async () => {
  const late = await waitingJob()
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  let held = 0
  await late.page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query OneJob')) return route.continue()
    const response = await route.fetch()
    held++
    await isReleased
    await route.fulfill({ response })
  })
  await late.page.goto(late.address)
  await settled(late.page)
  await expect.poll(() => held).toBe(1)

  const busy = await waitingJob()
  let refused = 0
  await busy.page.routeWebSocket(/graphql/, (socket) => {
    const upstream = socket.connectToServer()
    socket.onMessage((message) => {
      const { id, type, payload } = JSON.parse(String(message))
      if (type !== 'subscribe' || !payload.query.includes('subscription JobProgress') || refused > 0) return upstream.send(message)
      refused++
      const error = { message: 'The server is busy.', extensions: { code: 'SERVICE_UNAVAILABLE', statusCode: 503 } }
      socket.send(JSON.stringify({ id, type: 'error', payload: [error] }))
    })
  })
  await busy.page.goto(busy.address)
  await busy.page.getByText('Waiting').waitFor()
  await expect.poll(() => refused).toBe(1)

  await startWorker(server.world)
  await late.page.getByText('Completed').waitFor()
  const answered = late.page.waitForResponse((response) => response.request().postData()?.includes('query OneJob') ?? false)
  release()
  await (await answered).finished()
  await late.page.evaluate(() => fetch('/healthz').then(() => new Promise(requestAnimationFrame)))
  expect(await late.page.getByText('Completed').count()).toBe(1)
  await busy.page.getByText('Completed').waitFor()
})
