import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { url, world } = await testServer()
const browser = await openBrowser()

test('GraphiQL shows the schema and runs a query, and loads nothing from anywhere else', { timeout: 60_000 }, async () => {
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
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${url}/graphql`)
  await page.getByLabel('Show Documentation Explorer').click()
  await page.getByText('root types').first().waitFor()
  // The key goes where a person types it: behind "Bearer " in the headers.
  await page.locator('.graphiql-editor-tool .view-line', { hasText: 'Bearer' }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.insertText(secret)
  await page.getByLabel(/Execute query/).click()
  await page.locator('.result-window', { hasText: projectId }).waitFor()
  expect(await page.locator('.result-window').innerText()).toContain('SeenThere')
  expect([outside, complaints]).toEqual([[], []])
})
