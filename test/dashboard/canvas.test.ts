import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })

interface Step {
  id: string
  name: string
  position: { x: number; y: number }
}
const names = ['First', 'Second', 'Third']

async function threeSteps(): Promise<string> {
  const { id } = (await call('POST /workflows', { name: 'Drawn' })).body
  for (const name of names) await call(`POST /workflows/${id}/steps`, { type: 'DELAY', name, autoConnect: true })
  return id
}

const stored = async (id: string): Promise<Record<string, Step['position']>> => {
  const { steps } = (await call(`GET /workflows/${id}`)).body as { steps: Step[] }
  return Object.fromEntries(steps.map(({ name, position }) => [name, position]))
}

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`${server.url}/app/${projectId}/workflows/${id}?tab=canvas`)
  await settled(page)
  await page.getByRole('link', { name: 'First', exact: true }).waitFor()
}

const linkOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const boxOf = async (page: Page, name: string) => {
  const box = await page
    .locator('.canvas-step')
    .filter({ has: linkOf(page, name) })
    .boundingBox()
  return box ?? { x: 0, y: 0, width: 0, height: 0 }
}
// How large the canvas shows what is 240 wide.
const zoomOf = ({ width }: { width: number }) => width / 240

/** Where steps are shown, from one of them. */
async function placesFrom(page: Page, from: string): Promise<Record<string, [number, number]>> {
  const origin = await boxOf(page, from)
  const boxes = await Promise.all(names.map(async (name) => [name, await boxOf(page, name)] as const))
  return Object.fromEntries(
    boxes.map(([name, { x, y }]) => [name, [Math.round((x - origin.x) / zoomOf(origin)), Math.round((y - origin.y) / zoomOf(origin))]]),
  )
}

/** Takes a step with the mouse; the answer moves it, by as much as the canvas has. */
async function grab(page: Page, name: string): Promise<(x: number, y: number) => Promise<void>> {
  const box = await boxOf(page, name)
  const zoom = zoomOf(box)
  const at = { x: box.x + 100 * zoom, y: box.y + 60 * zoom }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  // It is dragged from where the mouse is once that has moved by more than hands tremble.
  at.x += 8
  await page.mouse.move(at.x, at.y)
  return (x, y) => page.mouse.move(at.x + x * zoom, at.y + y * zoom, { steps: 4 })
}

test('a step that is dragged stays where it was put, also when others change the workflow meanwhile, and after a reload', async () => {
  const id = await threeSteps()
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await open(page, id)
  const before = await placesFrom(page, 'First')
  const drag = await grab(page, 'Second')
  await drag(100, 20)
  await call(`POST /workflows/${id}/steps`, { type: 'EXIT', name: 'By another', position: { x: 600, y: 8 } })
  await linkOf(page, 'By another').waitFor()
  await drag(320, 48)
  await page.mouse.up()
  const [x, y] = before.Second ?? [0, 0]
  const after: Awaited<ReturnType<typeof placesFrom>> = { ...before, Second: [x + 320, y + 48] }
  expect(await placesFrom(page, 'First')).toEqual(after)
  await expect.poll(async () => (await stored(id)).Second?.x).toBeGreaterThan(300)
  const saved = await stored(id)
  // As nobody had placed the others they are stored with it, and what the other person added stays.
  expect(saved['By another']).toEqual({ x: 600, y: 8 })
  expect([(saved.Second?.x ?? 0) - (saved.First?.x ?? 0), (saved.Second?.y ?? 0) - (saved.First?.y ?? 0)]).toEqual(after.Second)
  await open(page, id)
  expect(await placesFrom(page, 'First')).toEqual(after)
  expect(await accessibilityProblems(page)).toEqual([])

  await linkOf(page, 'Second').press('Space')
  await linkOf(page, 'Third').press('Space')
  const moving = page.waitForRequest((request) => request.postData()?.includes('moveWorkflowSteps') === true)
  await (await grab(page, 'Third'))(40, 80)
  await page.mouse.up()
  expect((await moving).postDataJSON().variables.input.positions).toHaveLength(2)
  const further = ([x, y]: [number, number] = [0, 0]): [number, number] => [x + 40, y + 80]
  const together = { ...after, Second: further(after.Second), Third: further(after.Third) }
  expect(await placesFrom(page, 'First')).toEqual(together)

  // What cannot be stored is put back.
  await page.route('**/graphql', (route) => (route.request().postData()?.includes('moveWorkflowSteps') ? route.abort() : route.fallback()))
  await (await grab(page, 'First'))(200, 0)
  await page.mouse.up()
  await page.getByText('Postwire cannot be reached.').waitFor()
  expect(await placesFrom(page, 'First')).toEqual(together)
  expect(trouble.foreign).toEqual([])
  await context.close()
})

test('arrow keys move the step that has the focus, and those that the space bar has selected with it, in one call', async () => {
  const id = await threeSteps()
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  const moves: unknown[] = []
  page.on('request', (request) => {
    if (request.postData()?.includes('moveWorkflowSteps')) moves.push(request.postDataJSON().variables.input.positions)
  })
  await open(page, id)
  const before = await placesFrom(page, 'First')
  const [x, y] = before.Second ?? [0, 0]
  await linkOf(page, 'Second').press('ArrowRight')
  await linkOf(page, 'Second').press('Shift+ArrowDown')
  await page.getByRole('status').getByText('“Second” moved').waitFor()
  expect(await placesFrom(page, 'First')).toEqual({ ...before, Second: [x + 8, y + 32] })
  expect(moves).toHaveLength(1)
  await linkOf(page, 'Second').press('Space')
  await linkOf(page, 'Third').press('Space')
  await page.getByRole('status').getByText('“Third” selected: 2 steps are selected').waitFor()
  await linkOf(page, 'Third').press('Shift+ArrowLeft')
  await page.getByRole('status').getByText('“Third” and 1 more moved').waitFor()
  expect(moves).toHaveLength(2)
  expect(moves[1]).toHaveLength(2)
  const after = { First: [0, 0], Second: [x - 24, y + 32], Third: [(before.Third?.[0] ?? 0) - 32, before.Third?.[1]] }
  expect(await placesFrom(page, 'First')).toEqual(after)
  await open(page, id)
  expect(await placesFrom(page, 'First')).toEqual(after)
  // A new step between two others covers neither.
  await page.getByRole('link', { name: 'Add a step after “First”' }).press('Enter')
  await page.getByRole('radio', { name: /^Delay/ }).press('Space')
  await press(page.getByRole('button', { name: 'Add the step' }))
  await page.getByRole('button', { name: 'Delete the step…' }).waitFor()
  const places = Object.values(await stored(id))
  expect(places).toHaveLength(4)
  const rows = places.map((place) => place.y).sort((one, other) => one - other)
  for (const [nth, row] of rows.slice(1).entries()) expect(row - (rows[nth] ?? 0)).toBeGreaterThanOrEqual(72 + 16)
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('Arrange lays all steps out and stores that in one call, and Undo takes it back until something else is changed', async () => {
  const id = await threeSteps()
  const chosen = { First: { x: 40, y: 0 }, Second: { x: 300, y: 10 }, Third: { x: 80, y: 20 } }
  const { steps } = (await call(`GET /workflows/${id}`)).body as { steps: Step[] }
  for (const step of steps) await call(`PATCH /workflows/${id}/steps/${step.id}`, { position: chosen[step.name as keyof typeof chosen] })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await open(page, id)
  const arrange = page.getByRole('button', { name: 'Arrange' })
  const undo = page.getByRole('button', { name: 'Undo' })
  await press(arrange)
  await press(undo)
  await page.getByText('Steps put back').waitFor()
  expect(await stored(id)).toEqual(chosen)
  expect(await arrange.evaluate((element) => element === document.activeElement)).toBe(true)
  await expect.poll(() => placesFrom(page, 'First')).toMatchObject({ Second: [260, 10], Third: [40, 20] })
  await press(arrange)
  await undo.waitFor()
  const arranged = await stored(id)
  expect(new Set(Object.values(arranged).map(({ x }) => x)).size).toBe(1)
  expect(arranged.Second?.y).toBeGreaterThan((arranged.First?.y ?? 0) + 72)
  await call(`POST /workflows/${id}/steps`, { type: 'EXIT', name: 'By another' })
  await undo.waitFor({ state: 'detached' })
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
