import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const call = async (route: string, body?: unknown) => (await server.call(route, body, { key: secret })).body
const browser = await openBrowser()
let page: Page
beforeAll(async () => {
  page = (await openWindow(browser, server, { cookie })).page
})
afterAll(() => page.context().close())

interface Stored {
  steps: { id: string; name: string; type: string; config: object; position: object }[]
  transitions: { fromStepId: string; toStepId: string; branch: string | null; priority: number }[]
}

const read = (id: string): Promise<Stored> => call(`GET /workflows/${id}`)

/** What a workflow is, whatever the ids of its steps and transitions. */
async function graphOf(id: string) {
  const { steps, transitions } = await read(id)
  const nameOf = (step: string) => steps.find((one) => one.id === step)?.name
  return {
    steps: steps.map(({ name, type, config, position }) => ({ name, type, config, position })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    ways: transitions
      .map(({ fromStepId, toStepId, branch, priority }) => `${nameOf(fromStepId)} ${branch} ${priority} ${nameOf(toStepId)}`)
      .sort(),
  }
}

/** A first step that leads to a condition, both of whose exits lead on. */
async function fork(): Promise<string> {
  const { id } = await call('POST /workflows', { name: 'Fork' })
  const add = async (type: string, name: string, rest: object) =>
    (await call(`POST /workflows/${id}/steps`, { type, name, ...rest })).id as string
  const first = await add('DELAY', 'First', { position: { x: 40, y: 8 }, config: { amount: 2, unit: 'days' } })
  const ask = await add('CONDITION', 'Ask', {
    position: { x: 240, y: 160 },
    config: { field: 'data.plan', operator: 'equals', value: 'pro' },
  })
  const left = await add('DELAY', 'Left', { position: { x: 40, y: 320 } })
  const right = await add('DELAY', 'Right', { position: { x: 440, y: 320 } })
  const connect = (fromStepId: string, toStepId: string, rest: object) =>
    call(`POST /workflows/${id}/transitions`, { fromStepId, toStepId, ...rest })
  await connect(first, ask, {})
  await connect(ask, left, { branch: 'yes', priority: 1 })
  await connect(ask, right, { branch: 'no', priority: 2 })
  return id
}

async function open(id: string, tab: string): Promise<void> {
  await page.goto(`${server.url}/app/${projectId}/workflows/${id}?tab=${tab}`)
  await settled(page)
}

const openStep = (name: string) => page.getByRole('link', { name, exact: true }).press('Enter')
const undo = () => page.getByRole('button', { name: 'Undo', exact: true })

async function closeDrawer(): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
}

test('a connection that was changed or removed in the drawer is put back by Undo on the canvas', async () => {
  const id = await fork()
  const before = await graphOf(id)
  for (const to of ['Right', 'Nowhere: the execution ends']) {
    // Each time anew: a page that has not read again what was put back would change the connection that was there before.
    await open(id, 'canvas')
    await openStep('Ask')
    await page.getByLabel('Yes', { exact: true }).selectOption({ label: to })
    await expect.poll(async () => (await graphOf(id)).ways).not.toEqual(before.ways)
    await closeDrawer()
    await press(undo())
    await expect.poll(() => graphOf(id)).toEqual(before)
    await undo().waitFor({ state: 'detached' })
  }
})

test.each(['canvas', 'steps'])('a deleted step comes back with its config and its connections (%s)', async (tab) => {
  const id = await fork()
  const before = await graphOf(id)
  await open(id, tab)
  for (const name of ['Ask', 'First', 'Right']) {
    await openStep(name)
    await press(page.getByRole('button', { name: 'Delete the step…' }))
    await page.getByText('Undo brings it back, with its connections').waitFor()
    await press(page.getByRole('button', { name: 'Delete', exact: true }))
    await page.getByText(`“${name}” has been deleted`).waitFor()
    await expect.poll(async () => (await graphOf(id)).steps.length).toBe(3)
    await press(undo())
    await page.getByText(`“${name}” is back`).waitFor()
    expect(await graphOf(id)).toEqual(before)
  }
})

test('a step that was taken out of the way stands in it again, where it did', async () => {
  const { id } = await call('POST /workflows', { name: 'Row' })
  for (const name of ['First', 'Second', 'Third'])
    await call(`POST /workflows/${id}/steps`, { type: 'DELAY', name, config: { amount: 3, unit: 'hours' }, autoConnect: true })
  const before = await graphOf(id)
  await open(id, 'canvas')
  await openStep('Second')
  await press(page.getByRole('button', { name: 'Delete the step…' }))
  await press(page.getByRole('button', { name: 'Delete', exact: true }))
  await expect.poll(async () => (await graphOf(id)).ways).toEqual(['First null 0 Third'])
  await press(undo())
  await expect.poll(() => graphOf(id)).toEqual(before)
})

test('what was deleted cannot be brought back once something else has changed, or where executions would begin elsewhere', async () => {
  const id = await fork()
  await open(id, 'canvas')
  await openStep('Right')
  await press(page.getByRole('button', { name: 'Delete the step…' }))
  await press(page.getByRole('button', { name: 'Delete', exact: true }))
  await undo().waitFor()
  const { id: loose } = await call(`POST /workflows/${id}/steps`, { type: 'EXIT', name: 'Loose' })
  await undo().waitFor({ state: 'detached' })
  await openStep('First')
  await press(page.getByRole('button', { name: 'Delete the step…' }))
  await page.getByText('It cannot be brought back').waitFor()
  await press(page.getByRole('button', { name: 'Delete', exact: true }))
  await page.getByText('“First” has been deleted').waitFor()
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
  expect(await undo().count()).toBe(0)
  expect((await read(id)).steps.some((step) => step.id === loose)).toBe(true)
})
