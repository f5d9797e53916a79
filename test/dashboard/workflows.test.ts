import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, openWindow, press, settled } from '../help/dashboard.ts'
import { sendingProject } from '../help/mails.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const server = await testServer({ running: true, worker: true })
const { projectId, secret } = await sendingProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const browser = await openBrowser()
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
await call('POST /templates', { name: 'Welcome', subject: 'Welcome', body: '<p>Hi</p>', from: 'hi@demo.test' })
await call('POST /contacts', { email: 'ada@example.com', data: { plan: 'pro' } })
await call('POST /contacts', { email: 'grace@example.com' })

test('a workflow is created, its steps added, spliced, connected and deleted, and a contact goes through it, with the keyboard alone', async () => {
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  const add = async (place: string, kind: RegExp) => {
    await page.getByRole('link', { name: place, exact: true }).press('Enter')
    await page.getByRole('radio', { name: kind }).press('Space')
    await press(page.getByRole('button', { name: 'Add the step' }))
    await page.getByRole('button', { name: 'Delete the step…' }).waitFor()
  }
  const close = () => page.keyboard.press('Escape')
  await page.goto(`${server.url}/app/${projectId}/workflows`)
  await press(page.getByRole('button', { name: 'Create the first one' }))
  await page.getByLabel('Name', { exact: true }).fill('Onboarding')
  await page.getByLabel('Name of the event').fill('signed up')
  await press(page.getByRole('button', { name: 'Create the workflow' }))
  await page.getByRole('heading', { name: 'Onboarding' }).waitFor()

  await add('Add the first step', /^Send an email/)
  await page.getByRole('dialog').getByText('has no template').waitFor()
  await page.getByLabel('Template').pressSequentially('Welc')
  await page.locator('datalist option[value=Welcome]').waitFor({ state: 'attached' })
  await page.getByLabel('Template').press('Enter')
  await page.locator('button:focus').filter({ hasText: 'Welcome' }).press('Enter')
  await page.locator('input:focus[aria-label=Template]').pressSequentially('Welcome')
  await page.locator('button:focus').filter({ hasText: 'Welcome' }).waitFor()
  await press(page.getByRole('button', { name: 'Save the step' }))
  await page.getByText('Step saved').waitFor()
  await close()
  await add('Add a step after “Send email”', /^Exit/)
  await close()
  await add('Add a step after “Send email”', /^Condition/)
  await press(page.getByRole('button', { name: 'Use it as it is' }))
  await press(page.getByRole('button', { name: 'Save the step' }))
  await page.getByLabel('No', { exact: true }).selectOption({ label: 'Exit' })
  await page.getByText('Connection changed').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await close()
  await page.getByText('If they are subscribed').waitFor()
  await add('Add a step before the first one', /^Delay/)
  await press(page.getByRole('button', { name: 'Delete the step…' }))
  await press(page.getByRole('button', { name: 'Delete', exact: true }))
  await page.getByText('“Delay” has been deleted').waitFor()

  await press(page.getByRole('button', { name: 'Enable' }))
  await page.getByText('Enabled', { exact: true }).waitFor()
  await call('POST /v1/track', { email: 'ada@example.com', event: 'signed up' })
  await page.getByText('1 came').first().waitFor()
  await page.getByRole('link', { name: 'Executions' }).press('Enter')
  await page.getByRole('link', { name: 'ada@example.com' }).press('Enter')
  await page.getByText('Exited').first().waitFor()
  await page.getByText('Took the exit “Yes”').waitFor()
  const { id: other } = (await call('POST /workflows', { name: 'Another' })).body
  const [, execution] = page.url().split('/executions/')
  await page.goto(`${server.url}/app/${projectId}/workflows/${other}/executions/${execution}`)
  await page.getByText('Nothing is here').waitFor()
  expect(await page.getByText('ada@example.com').count()).toBe(0)
  await page.getByRole('link', { name: 'To the executions of the workflow' }).press('Enter')
  await page.getByRole('heading', { name: 'Another' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('executions are started by hand, watched, and cancelled once the name of the workflow was typed', async () => {
  const { id } = (await call('POST /workflows', { name: 'Waiting' })).body
  await call(`POST /workflows/${id}/steps`, {
    type: 'WAIT_FOR_EVENT',
    name: 'A purchase?',
    config: { eventName: 'bought', timeout: 86_400 },
  })
  await call(`PATCH /workflows/${id}`, { triggerConfig: { eventName: 'asked' }, enabled: true })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/workflows/${id}?tab=executions`)
  await press(page.getByRole('button', { name: 'Start for a contact…' }))
  const field = page.getByLabel('Address of a contact')
  await field.pressSequentially('ada')
  await page.locator('datalist option[value="ada@example.com"]').waitFor({ state: 'attached' })
  await field.press('Enter')
  await page.getByLabel('Data').fill('{ "plan": "pro" }')
  await press(page.getByRole('button', { name: 'Start', exact: true }))
  await page.getByRole('heading', { name: 'ada@example.com' }).waitFor()
  await page.getByText('Waiting', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Waiting' }).press('Enter')
  // Once it is known how many are under way.
  await press(page.getByRole('button', { name: 'Cancel all…', disabled: false }))
  const confirmation = page.getByRole('button', { name: 'Cancel all', exact: true })
  expect(await confirmation.isDisabled()).toBe(true)
  await page.getByLabel('Type “Waiting” to confirm').fill('Waiting')
  await press(confirmation)
  await page.getByText('1 execution cancelled').waitFor()
  await page.getByRole('cell', { name: 'Cancelled', exact: true }).waitFor()
  await page.getByLabel('Contact', { exact: true }).pressSequentially('grace')
  await page.locator('datalist option[value="grace@example.com"]').waitFor({ state: 'attached' })
  await page.getByLabel('Contact', { exact: true }).press('Enter')
  await page.getByText('No execution matches').waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('the canvas shows the steps of the outline, and its links open them and add others, in both schemes', async () => {
  const { id } = (await call('POST /workflows', { name: 'Drawn' })).body
  await call(`POST /workflows/${id}/steps`, { type: 'DELAY', name: 'A day', config: { amount: 1, unit: 'days' } })
  await call(`POST /workflows/${id}/steps`, { type: 'CONDITION', name: 'Subscribed?', autoConnect: true })
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  await page.goto(`${server.url}/app/${projectId}/workflows/${id}?tab=canvas`)
  await settled(page)
  await page.getByRole('link', { name: 'Subscribed?', exact: true }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await accessibilityProblems(page)).toEqual([])
  }
  await page.getByRole('link', { name: 'Add a step after “Subscribed?”, Yes' }).press('Enter')
  await page.getByRole('radio', { name: /^Exit/ }).press('Space')
  await press(page.getByRole('button', { name: 'Add the step' }))
  await page.getByRole('button', { name: 'Delete the step…' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Exit', exact: true }).waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})
