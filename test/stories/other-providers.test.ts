import { expect, test } from 'vitest'
import { openBrowser } from '../help/browser.ts'
import { fakeOauthProviders } from '../help/oauth.ts'
import { testServer } from '../help/server.ts'

test('a browser comes from another site, signs in with GitHub or Google, and is the same person here', async () => {
  const fake = await fakeOauthProviders()
  const { url, world } = await testServer({ env: fake.env })
  // Not the site of the provider, so that the browser's rules for cookies between sites apply.
  const here = url.replace('127.0.0.1', 'localhost')
  world.publicUrl = here
  const email = 'ada@people.test'
  fake.visitor = { id: 7, emails: [{ email, primary: true, verified: true }], claims: { email, email_verified: true } }
  const page = await (await openBrowser()).newPage()
  const seen: unknown[] = []
  for (const provider of ['github', 'google']) {
    await page.goto(`${fake.url}/jwks`)
    await page.setContent(`<a href="${here}/oauth/${provider}/outbound">Sign in</a>`)
    await page.getByText('Sign in').click()
    // The root leads to the dashboard, where the checkout has one.
    await page.waitForURL((at) => at.origin === here && ['/', '/app/'].includes(at.pathname))
    expect(await page.context().cookies(here)).toMatchObject([{ name: 'session', httpOnly: true, sameSite: 'Lax' }])
    await page.goto(`${here}/users/@me`)
    seen.push(JSON.parse(await page.locator('body').innerText()))
    await page.context().clearCookies()
  }
  expect(seen).toEqual([{ id: expect.stringMatching(/^usr_/), email, emailVerified: true }, seen[0]])
})
