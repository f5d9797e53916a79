import { expect, test } from 'vitest'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { openBrowser } from '../help/browser.ts'
import { openWindow, settled } from '../help/dashboard.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const server = await testServer({ running: true })
const { world, call, url } = server
const browser = await openBrowser()

test('somebody signs up, creates a project, signs out, and signs in again to the page they wanted', async () => {
  const { page, context, trouble } = await openWindow(browser, server)
  await page.goto(`${url}/app/`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  // The page before has fields of the same names: what is typed into it belongs to that.
  await page.getByRole('heading', { name: 'Create an account', level: 1 }).waitFor()
  await page.getByLabel('Email address').fill('grace@people.test')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText(/8/).and(page.locator('.field-problem')).waitFor()
  await page.locator('input[type=password]:focus').waitFor()
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Create the account' }).click()
  await page.getByText('No project yet').waitFor()
  await page.getByLabel('Name').fill('The first project')
  await page.getByRole('button', { name: 'Create the project' }).click()
  await page.getByRole('heading', { name: 'The first project', level: 1 }).waitFor()
  const wanted = `${page.url()}/emails`
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goto(wanted)
  await page.getByLabel('Email address').fill('grace@people.test')
  await page.getByLabel('Password').fill('a wrong password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('No emails yet').waitFor()
  expect(page.url()).toBe(wanted)
  expect({ ...trouble, console: [], failed: [] }).toEqual({ console: [], failed: [], foreign: [] })
  await context.close()
})

test('an address of another site is not gone to after signing in', async () => {
  const { email, password } = await freshUser(world)
  const { page, context } = await openWindow(browser, server)
  await page.goto(`${url}/app/sign-in?next=${encodeURIComponent('//elsewhere.example/')}`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
  expect(new URL(page.url()).origin).toBe(url)
  await context.close()
})

test('two people of two projects see nothing of each other, also by an address that was passed on', async () => {
  const addresses = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const { projectId, ctx, secret } = await freshProject(world, `Project ${name}`)
      await createDomain(ctx, { domain: 'acme.test' })
      const message = { to: `${name}@example.com`, from: 'hi@acme.test', subject: `Secret of ${name}`, body: '<p>x</p>' }
      const sent = await call('POST /v1/send', message, { key: secret })
      const { cookie } = await freshUser(world, { member: { projectId, role: 'OWNER' } })
      const make = async (path: string, body: object): Promise<string> => {
        const { body: made } = await call(`POST /${path}`, { name: `Secret of ${name}`, ...body }, { key: secret })
        return `${path}/${made.data?.id ?? made.id}`
      }
      const content = { subject: 'Hello', body: '<p>x</p>', from: 'hi@acme.test' }
      const paths = await Promise.all([
        make('templates', content),
        make('campaigns', { ...content, audienceType: 'ALL' }),
        make('segments', { type: 'STATIC' }),
        make('contacts', { email: `${name}@example.com` }),
      ])
      return { name, cookie, projectId, paths, email: sent.body.data.emails[0].email as string }
    }),
  )
  for (const [me, other] of [addresses, addresses.toReversed()].map(([a, b]) => [a, b] as const)) {
    if (!me || !other) throw new Error('There are two')
    const { page, context } = await openWindow(browser, server, { cookie: me.cookie })
    await page.goto(`${url}/app/${me.projectId}/emails`)
    await page.getByRole('link', { name: `Secret of ${me.name}` }).waitFor()
    expect(await page.getByText(`Secret of ${other.name}`).count()).toBe(0)
    for (const path of [`${other.projectId}/emails`, `${other.projectId}/settings?tab=keys`, other.projectId]) {
      await page.goto(`${url}/app/${path}`)
      await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    }
    await page.goto(`${url}/app/${me.projectId}/emails/${other.email}`)
    await page.getByText('This email does not exist, or was deleted').waitFor()
    for (const path of other.paths) {
      await page.goto(`${url}/app/${me.projectId}/${path}`)
      await page
        .getByText(/is not in this project|no such|Nothing is here|does not exist|was deleted/i)
        .first()
        .waitFor()
      expect(await page.getByText(new RegExp(`Secret of ${other.name}|${other.name}@example.com`)).count(), path).toBe(0)
    }
    await page.goto(`${url}/app/`)
    await settled(page)
    expect(await page.getByText(`Project ${other.name}`).count()).toBe(0)
    await context.close()
  }
})

test('where addresses must be confirmed, nothing else is shown before', async () => {
  const strict = await testServer({ running: true, env: { REQUIRE_VERIFIED_EMAIL: 'true' } })
  const { headers } = await strict.call('POST /auth/signup', { email: 'new@people.test', password: 'a rather long password' })
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const { page, context } = await openWindow(browser, strict, { cookie })
  await page.goto(`${strict.url}/app/`)
  await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
  await page.getByRole('button', { name: 'Send the email' }).waitFor()
  await context.close()
})

test('where the installation sends no emails of its own, nobody is asked to confirm an address', async () => {
  const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(40), ALLOW_CAPTURE: 'true', HOST: '127.0.0.1' }
  const silent = await testServer({ running: true, env })
  const { headers } = await silent.call('POST /auth/signup', { email: 'quiet@people.test', password: 'a rather long password' })
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const { page, context } = await openWindow(browser, silent, { cookie })
  await page.goto(`${silent.url}/app/`)
  await page.getByText('No project yet').waitFor()
  expect(await page.getByText(/confirm/i).count()).toBe(0)
  await page.goto(`${silent.url}/app/account`)
  await page.getByText('quiet@people.test').first().waitFor()
  expect(await page.getByText(/confirm/i).count()).toBe(0)
  await context.close()
})
