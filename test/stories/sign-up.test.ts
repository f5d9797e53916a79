import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { testServer } from '../help/server.ts'

test('a person signs up, reads the email in /mailbox, confirms the address, and resets the password', async () => {
  const { url, call, world } = await testServer({ running: true, worker: true, env: { EMAIL_TRANSPORT: 'capture' } })
  world.publicUrl = url
  const email = 'ada@people.test'
  const page = await (await openBrowser()).newPage()
  const followMail = async (subject: string) => {
    await expect
      .poll(
        async () => {
          await page.goto(`${url}/mailbox`)
          return page.getByRole('link', { name: subject }).count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    await page.getByRole('link', { name: subject }).click()
    await page.getByRole('link', { name: 'Text' }).click()
    const [link = ''] = /http\S+/.exec(await page.locator('pre').innerText()) ?? []
    await page.goto(link)
  }

  const { headers } = await call('POST /auth/signup', { email, password: 'the password of somebody' })
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  const me = async () => (await call('GET /users/@me', undefined, { headers: { cookie } })).body
  expect(await me()).toMatchObject({ email, emailVerified: false })
  await followMail('Confirm your email address')
  expect(await me()).toMatchObject({ emailVerified: false })
  // The browser is not signed in to the account, which somebody else may have created.
  await page.getByLabel('New password').fill('the first password')
  await page.getByLabel('Repeat the password').fill('the first password')
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await expect.poll(() => page.getByRole('status').innerText()).toContain('Your address is confirmed')
  expect(await me()).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
  const mine = await call('POST /auth/login', { email, password: 'the first password' })
  const session = { cookie: mine.headers.get('set-cookie')?.split(';')[0] ?? '' }
  expect((await call('GET /users/@me', undefined, session)).body).toMatchObject({ emailVerified: true })

  await call('POST /auth/request-password-reset', { email })
  await followMail('Reset your password')
  await page.getByLabel('New password').fill('the second password')
  await page.getByLabel('Repeat the password').fill('the second passwort')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('are different')
  await page.getByLabel('New password').fill('the second password')
  await page.getByLabel('Repeat the password').fill('the second password')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await expect.poll(() => page.getByRole('status').innerText()).toContain('Your password is changed.')
  expect((await call('POST /auth/login', { email, password: 'the first password' })).status).toBe(401)
  expect((await call('POST /auth/login', { email, password: 'the second password' })).status).toBe(200)
}, 120_000)
