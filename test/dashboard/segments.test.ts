import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { openWindow, press, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true, worker: true })
const { projectId, secret } = await freshProject(server.world)
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'MEMBER' } })
const call = (route: string, body?: unknown) => server.call(route, body, { key: secret })
const contact = async (email: string, data: object) => (await call('POST /contacts', { email, data })).body.id as string
const ada = await contact('ada@example.com', { plan: 'pro', seats: 12 })
await contact('grace@example.com', { plan: 'pro', seats: 2 })
await contact('alan@example.com', { plan: 'free', seats: 40 })
await call('POST /v1/track', { email: 'grace@example.com', event: 'bought' })
const browser = await openBrowser()
let opened: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  opened = await openWindow(browser, server, { cookie })
})
afterAll(() => opened.context.close())

async function open(path: string): Promise<void> {
  await opened.page.goto(`${server.url}/app/${projectId}${path}`)
  await settled(opened.page)
}

test('a rule with a group is built, says what it means and whom, and is stored so', async () => {
  const { page } = opened
  await open('/segments/new')
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Pro and active')
  await page.getByRole('combobox', { name: 'What the rule asks' }).selectOption('Custom field')
  await page.getByRole('combobox', { name: 'Name of the field' }).fill('plan')
  await page.getByRole('combobox', { name: 'Operator' }).selectOption('is')
  await page.getByText('Fill in every rule to see who matches.').waitFor()
  await page.getByRole('combobox', { name: 'Value' }).fill('pro')
  await page.getByText('2 contacts').waitFor()
  await press(page.getByRole('button', { name: 'Add a group' }))
  const group = page.getByRole('group', { name: 'Group at level 2' })
  await group.getByRole('combobox', { name: 'What the rule asks' }).selectOption('Custom field')
  await group.getByRole('combobox', { name: 'Name of the field' }).fill('seats')
  await group.getByRole('combobox', { name: 'Operator' }).selectOption('is greater than')
  await group.getByRole('textbox', { name: 'Value' }).fill('10')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await press(group.getByRole('button', { name: 'Add a rule' }))
  const event = group.getByRole('listitem').nth(1)
  await event.getByRole('combobox', { name: 'What the rule asks' }).selectOption('Event')
  await event.getByRole('combobox', { name: 'Name of the event' }).fill('bought')
  await page.getByText('Contacts where plan is “pro” and (seats is greater than 10 or they did “bought”).').waitFor()
  await page.getByText('2 contacts').waitFor()
  await press(page.getByRole('button', { name: 'Create the segment' }))
  await page.getByRole('heading', { name: 'Pro and active', level: 1 }).waitFor()
  const [stored] = (await call('GET /segments')).body
  expect(stored.condition).toEqual({
    logic: 'AND',
    groups: [
      { filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] },
      {
        filters: [],
        conditions: {
          logic: 'OR',
          groups: [
            { filters: [{ field: 'data.seats', operator: 'greaterThan', value: 10 }] },
            { filters: [{ field: 'event.bought', operator: 'triggered' }] },
          ],
        },
      },
    ],
  })
})

test('it says of any contact why it is in or out', async () => {
  const { page } = opened
  const [{ id }] = (await call('GET /segments')).body
  await open(`/segments/${id}?tab=why&contact=${ada}`)
  await page.getByText('ada@example.com is in.').waitFor()
  const parts = page.getByRole('list', { name: 'Parts of the rule' })
  await parts.getByText('They did “bought”').waitFor()
  await parts.getByText('It has never happened.').waitFor()
})

test('a rule that another program stored is shown and kept as it is, and only what was changed changes', async () => {
  const { page } = opened
  const condition = {
    logic: 'OR',
    groups: [
      {
        filters: [
          { field: 'data.plan', operator: 'equals', value: ['pro', 'a, b'] },
          { field: 'data.seats', operator: 'lessThan', value: 5 },
        ],
      },
      { filters: [{ field: 'createdAt', operator: 'within', value: 2, unit: 'hours' }] },
    ],
  }
  const { id } = (await call('POST /segments', { name: 'Stored', condition })).body
  await open(`/segments/${id}?tab=rule`)
  await page.getByText('(plan is one of “pro”, “a, b” and seats is less than 5) or their creation is within the last 2 hours').waitFor()
  expect(await page.getByRole('button', { name: 'Save the rule' }).count()).toBe(0)
  await page.getByRole('textbox', { name: 'How many' }).fill('3')
  await press(page.getByRole('button', { name: 'Save the rule' }))
  await page.getByRole('button', { name: 'Save the rule' }).waitFor({ state: 'detached' })
  const [first, second] = condition.groups
  const changed = { ...condition, groups: [first, { filters: [{ ...second?.filters[0], value: 3 }] }] }
  expect((await call(`GET /segments/${id}`)).body.condition).toEqual(changed)
})

test('members of a static segment are added by address, those without a contact are named, and one is removed', async () => {
  const { page } = opened
  const { id } = (await call('POST /segments', { name: 'Testers', type: 'STATIC' })).body
  await open(`/segments/${id}`)
  await press(page.getByRole('button', { name: 'Add by address' }))
  await page.getByRole('textbox', { name: 'Addresses' }).fill('ada@example.com, grace@example.com\nnobody@example.com')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }))
  await page.getByText('nobody@example.com').last().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('status').getByText('2 members').waitFor()
  await press(page.getByRole('button', { name: 'Remove grace@example.com' }))
  await page.getByRole('status').getByText('1 member', { exact: true }).waitFor()
  expect((await call(`GET /segments/${id}/contacts`)).body.data.map(({ email }: { email: string }) => email)).toEqual(['ada@example.com'])
})

test('a segment is deleted once its name is typed, after what uses it was shown', async () => {
  const { page } = opened
  const { id } = (await call('POST /segments', { name: 'Old', type: 'STATIC' })).body
  await call('POST /segments', { name: 'Refers', condition: { field: `segment.${id}`, operator: 'memberOfSegment' } })
  await open(`/segments/${id}?tab=settings`)
  await page.getByRole('link', { name: 'Refers' }).waitFor()
  for (const kind of ['entry', 'exit']) await page.getByText(`segment.old.${kind}`).waitFor()
  await press(page.getByRole('button', { name: 'Delete the segment' }))
  // Once its field has the focus.
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('Old')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
  expect((await call(`GET /segments/${id}`)).status).toBe(404)
  await page.getByText('Needs attention').waitFor()
})
