import { afterAll, beforeAll, expect, test } from 'vitest'
import { allPages, type PageEntry } from '../../src/dashboard/pages.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { openBrowser } from '../help/browser.ts'
import { accessibilityProblems, looks, openWindow, settled, show } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { projectId, ctx, secret } = await freshProject(server.world, 'A project of people who send mail')
const { cookie } = await freshUser(server.world, { member: { projectId, role: 'OWNER' } })
await createDomain(ctx, { domain: 'acme.test' })
// One that needs records, which a name below .test does not.
const domain = await createDomain(ctx, { domain: 'newsletter.internationalbusinessmachines.example' })
// Names without a place to break a line, as people and programs give them.
const email = 'christopher_featherstonehaugh@internationalbusinessmachines.example.com'
const event = 'subscription.enterprise.customer.onboarding.completed'
const link = 'https://accounts.example.com/reset?token=eyJhbGciOiJIUzI1NiJ9eyJzdWIiOiIxMjM0NTY3ODkw'
const attachment = { filename: 'invoice_international_business_machines_2026_11_26.pdf', content: 'aGk=', contentType: 'application/pdf' }
const message = {
  to: email,
  from: 'hi@acme.test',
  subject: `Reset your password: ${link}`,
  body: '<p>Hello</p>',
  attachments: [attachment],
}
const sent = await server.call('POST /v1/send', message, { key: secret })
await server.call('POST /v1/track', { email, event, data: { plan: 'pro' } }, { key: secret })
const person = await server.call(
  'POST /contacts',
  { email, data: { seats: 12, internationalisation_preferences_last_updated_at_by_support: 'yes' } },
  { key: secret },
)
const condition = { field: 'data.plan', operator: 'equals', value: 'pro' }
const segment = await server.call(
  'POST /segments',
  { name: 'customers_without_subscription_since_2026_q3', trackMembership: true, condition },
  { key: secret },
)
await server.call('POST /suppressions', { emails: [`gone.${email}`], reason: 'BOUNCE' }, { key: secret })
const content = {
  name: 'welcome_email_enterprise_customers_v2_final_2026',
  subject: 'Hello',
  body: '<p>Hello {{ name }}</p>',
  from: 'hi@acme.test',
}
const template = await server.call('POST /templates', content, { key: secret })
const campaign = await server.call('POST /campaigns', { ...content, audienceType: 'ALL' }, { key: secret })
const series = { name: 'onboarding_enterprise_customers_reminder_v2_2026', triggerConfig: { eventName: event } }
const workflow = await server.call('POST /workflows', series, { key: secret })
const step = { type: 'WAIT_FOR_EVENT', name: 'wait_for_subscription_enterprise_customer', config: { eventName: event, timeout: 86_400 } }
await server.call(`POST /workflows/${workflow.body.id}/steps`, step, { key: secret })
await server.call(`PATCH /workflows/${workflow.body.id}`, { enabled: true }, { key: secret })
const started = await server.call(`POST /workflows/${workflow.body.id}/executions`, { contactId: person.body.id }, { key: secret })

/** What stands in addresses for `$name`. */
const ids: Record<string, string> = {
  project: projectId,
  email: sent.body.data.emails[0].email,
  contact: person.body.id,
  segment: segment.body.id,
  template: template.body.id,
  campaign: campaign.body.data.id,
  workflow: workflow.body.id,
  execution: started.body.id,
  domain: domain.id,
}
const browser = await openBrowser()

const addressOf = (path: string) => `${server.url}/app${path.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name] ?? `no-${name}`)}`
const isOpen = ({ open }: PageEntry) => open === true

let signedIn: Awaited<ReturnType<typeof openWindow>>
let nobody: Awaited<ReturnType<typeof openWindow>>
beforeAll(async () => {
  signedIn = await openWindow(browser, server, { cookie })
  nobody = await openWindow(browser, server)
})
afterAll(async () => {
  await signedIn.context.close()
  await nobody.context.close()
})

const title = '$path has a title, one heading, no error and no request elsewhere, and in light and dark, wide and narrow, no barrier'
test.each(allPages)(title, async (entry) => {
  const { page, trouble } = isOpen(entry) ? nobody : signedIn
  await page.goto(addressOf(entry.path))
  await settled(page)
  expect(await page.locator('h1').count()).toBe(1)
  expect(await page.title()).toContain('Postwire')
  for (const look of looks) {
    await show(page, look)
    expect({ look, problems: await accessibilityProblems(page, { colours: look.scheme === 'dark' }) }).toEqual({ look, problems: [] })
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect({ look, fits: width <= look.width }).toEqual({ look, fits: true })
  }
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
})

test('every name in the addresses of pages has a value above', () => {
  const names = allPages.flatMap(({ path }) => [...path.matchAll(/\$(\w+)/g)].map(([, name = '']) => name))
  expect(names.filter((name) => !ids[name])).toEqual([])
})

test('an address that does not exist says so, and leads back', async () => {
  const { page, context, trouble } = await openWindow(browser, server, { cookie })
  for (const path of ['/nowhere', '/prj_00000000000000000000000000', '/$project/nowhere']) {
    await page.goto(addressOf(path))
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
  }
  await page.getByRole('link', { name: 'To your projects' }).click()
  await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
  expect(trouble).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('a barrier is found in either scheme, and one of colours also where colours alone are looked at', async () => {
  const { page, context } = await openWindow(browser, server)
  await page.setContent('<img src="data:,"><p style="color: #777; background: #888">Hard to read</p>')
  const found = async (colours: boolean) => (await accessibilityProblems(page, { colours })).map((problem) => problem.split(':')[0])
  expect(await found(false)).toEqual(expect.arrayContaining(['image-alt', 'color-contrast']))
  expect(await found(true)).toEqual(['color-contrast'])
  await context.close()
})
