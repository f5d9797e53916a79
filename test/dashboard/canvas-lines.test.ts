import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })

/** A condition with a step on the left and one on the right, and its first exit leading to the one on the left. */
async function fork(): Promise<{ id: string; ask: string; left: string; right: string }> {
  const { id } = (await call('POST /workflows', { name: 'Fork' })).body
  const add = async (type: string, name: string, x: number, y: number) =>
    (await call(`POST /workflows/${id}/steps`, { type, name, position: { x, y } })).body.id as string
  const ask = await add('CONDITION', 'Ask', 240, 8)
  const left = await add('DELAY', 'Left', 40, 240)
  const right = await add('DELAY', 'Right', 440, 240)
  await connect(id, { fromStepId: ask, toStepId: left, branch: 'yes' })
  await connect(id, { fromStepId: ask, toStepId: right, branch: 'no' })
  return { id, ask, left, right }
}

const connect = (id: string, way: object) => call(`POST /workflows/${id}/transitions`, way)

async function open(id: string) {
  const window = await openWindow(browser, server, { cookie })
  await window.page.goto(`${server.url}/app/${projectId}/workflows/${id}?tab=canvas`)
  await settled(window.page)
  await window.page.locator('.canvas-step').first().waitFor()
  return window
}

/** How far the lines of a step begin from the exits that they are of, in pixels of the screen. */
const distances = (page: Page, step: string): Promise<number[]> =>
  page.evaluate((id) => {
    const handles = [...document.querySelectorAll<HTMLElement>(`.react-flow__node[data-id="${id}"] .react-flow__handle.source`)]
    return handles.map((handle) => {
      const path = document.querySelector<SVGPathElement>(`.react-flow__edge[data-id="${id} ${handle.dataset.handleid}"] path`)
      const [matrix, at, box] = [path?.getScreenCTM(), path?.getPointAtLength(0), handle.getBoundingClientRect()]
      if (!matrix || !at) return 999
      return Math.round(Math.abs(at.x * matrix.a + matrix.e - (box.left + box.width / 2)) / 8)
    })
  }, step)

const storedWays = async (id: string) => {
  const { transitions } = (await call(`GET /workflows/${id}`)).body as { transitions: { branch: string; toStepId: string }[] }
  return Object.fromEntries(transitions.map(({ branch, toStepId }) => [branch, toStepId]))
}

test('lines begin at their exits, also after what they lead to has been changed, replaced or deleted', async () => {
  const { id, ask, left, right } = await fork()
  const { page, context } = await open(id)
  await expect.poll(() => distances(page, ask)).toEqual([0, 0])
  const order = () =>
    page.locator(`.react-flow__node[data-id="${ask}"] .source`).evaluateAll((all) => all.map((one) => one.dataset.handleid))
  expect(await order()).toEqual(['yes', 'no'])
  const before = (await call(`GET /workflows/${id}`)).body.transitions as { id: string }[]
  for (const way of before) await call(`DELETE /workflows/${id}/transitions/${way.id}`)
  await connect(id, { fromStepId: ask, toStepId: right, branch: 'yes' })
  await connect(id, { fromStepId: ask, toStepId: left, branch: 'no' })
  await expect.poll(order).toEqual(['no', 'yes'])
  await expect.poll(() => distances(page, ask)).toEqual([0, 0])
  await call(`DELETE /workflows/${id}/steps/${left}`)
  await page.getByRole('link', { name: 'Left', exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => distances(page, ask)).toEqual([0, 0])
  await context.close()
})

test('a connection that is drawn can be taken back, until something else is changed', async () => {
  const { id, ask, left, right } = await fork()
  const { page, context } = await open(id)
  const centre = async (selector: string) => {
    const { x, y, width, height } = (await page.locator(selector).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: x + width / 2, y: y + height / 2 }
  }
  const draw = async () => {
    const from = await centre(`.react-flow__node[data-id="${ask}"] .source[data-handleid="yes"]`)
    const to = await centre(`.react-flow__node[data-id="${right}"] .target`)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 6 })
    await page.mouse.up()
    await expect.poll(() => storedWays(id)).toEqual({ yes: right, no: right })
  }
  await draw()
  const undo = page.getByRole('button', { name: 'Undo' })
  await press(undo)
  await page.getByText('Connection put back').waitFor()
  expect(await storedWays(id)).toEqual({ yes: left, no: right })
  await undo.waitFor({ state: 'detached' })
  await draw()
  await undo.waitFor()
  await call(`PATCH /workflows/${id}`, { description: 'By another' })
  await undo.waitFor({ state: 'detached' })
  await context.close()
})

test('the view stays where it is when steps are added by keyboard', async () => {
  const { id } = (await call('POST /workflows', { name: 'Drawn' })).body
  for (const [nth, name] of ['First', 'Second'].entries())
    await call(`POST /workflows/${id}/steps`, { type: nth === 0 ? 'CONDITION' : 'DELAY', name })
  const { steps } = (await call(`GET /workflows/${id}`)).body as { steps: { id: string }[] }
  await connect(id, { fromStepId: steps[0]?.id, toStepId: steps[1]?.id, branch: 'yes' })
  const { page, context } = await open(id)
  const place = async () => {
    const { x, y } = (await page.locator('.react-flow__node-start').boundingBox()) ?? { x: 0, y: 0 }
    return [Math.round(x / 4), Math.round(y / 4)]
  }
  const before = await place()
  await page.getByRole('link', { name: 'Add a step after “First”, No' }).press('Enter')
  await page.getByRole('radio', { name: /^Condition/ }).press('Space')
  await press(page.getByRole('button', { name: 'Add the step' }))
  await page.getByRole('button', { name: 'Delete the step…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('.canvas-step').count()).toBe(3)
  expect(await place()).toEqual(before)
  await context.close()
})
