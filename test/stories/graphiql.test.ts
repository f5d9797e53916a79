import { get } from 'node:http'
import { expect, test } from 'vitest'
import { explorerProject } from '../../src/server/graphql/graphiql.ts'
import { openBrowser } from '../help/browser.ts'
import { callAt, testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { url, world } = await testServer()
const browser = await openBrowser()

test('GraphiQL shows the schema and runs a query, and loads nothing from other sites', async () => {
  const { secret, projectId } = await freshProject(world, 'SeenThere')
  const page = await browser.newPage({ viewport: { width: 1300, height: 800 } })
  const outside: string[] = []
  await page.route(
    (address) => address.origin !== url && !/^(data|blob):/.test(address.href),
    (route) => {
      outside.push(route.request().url())
      return route.abort()
    },
  )
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await page.goto(`${url}/graphql`)
  await page.getByLabel('Show Documentation Explorer').click()
  await page.getByText('root types').first().waitFor()
  // The key is typed after "Bearer " in the headers, as a person would do.
  await page.locator('.graphiql-editor-tool .view-line', { hasText: 'Bearer' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.insertText(secret)
  await page.getByLabel(/Execute query/).click()
  await page.locator('.result-window', { hasText: projectId }).waitFor()
  expect(await page.locator('.result-window').innerText()).toContain('SeenThere')
  expect([outside, errors]).toEqual([[], []])
})

test('with demo data it opens with the key of the demo project, on this machine only', async () => {
  const { secret, projectId } = await freshProject(world, 'Demo')
  explorerProject(world).id = projectId
  const page = await browser.newPage({ viewport: { width: 1300, height: 800 } })
  await page.goto(`${url}/graphql`)
  await page.getByLabel(/Execute query/).click()
  await page.locator('.result-window', { hasText: projectId }).waitFor()

  const source = async (headers: Record<string, string>) =>
    (await callAt(url, 'GET /graphql', undefined, { headers: { accept: 'text/html', ...headers } })).body
  expect(await source({})).toContain(secret)
  const proxied: Record<string, string>[] = [
    { 'x-forwarded-for': '192.0.2.1' },
    { 'x-forwarded-host': 'api.example.com' },
    { via: '1.1 tunnel' },
  ]
  for (const headers of proxied) expect(await source(headers)).not.toContain(secret)
  const { port } = new URL(url)
  const rebound = await new Promise<string>((resolve, reject) => {
    const asked = { host: '127.0.0.1', port, path: '/graphql', headers: { host: `attacker.example:${port}`, accept: 'text/html' } }
    get(asked, (answer) =>
      answer
        .setEncoding('utf8')
        .toArray()
        .then((pieces) => resolve(pieces.join('')), reject),
    ).on('error', reject)
  })
  expect(rebound).toContain('not one of the installation')
  expect(rebound).not.toContain(secret)
  explorerProject(world).id = undefined
})
