import { describe, expect, test } from 'vitest'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'

const direct = await testServer()
const proxied = await testServer({ env: { TRUST_PROXY: '1' } })
const twice = await testServer({ env: { TRUST_PROXY: '2' } })

describe('the address of a caller', () => {
  test.each([
    ['without a proxy, that of the connection, whatever the caller writes', direct, '192.0.2.1', /127\.0\.0\.1$/],
    ['behind one proxy, what that has appended', proxied, '192.0.2.1, 192.0.2.2, 192.0.2.3', /^192\.0\.2\.3$/],
    ['behind two, what the outer one has appended', twice, '192.0.2.1, 192.0.2.2, 192.0.2.3', /^192\.0\.2\.2$/],
    ['that of the connection where a proxy has appended nothing', proxied, '', /127\.0\.0\.1$/],
  ])('is %s', async (_what, { world, call }, forwarded, address) => {
    const { email, password } = await freshUser(world)
    const headers = { 'x-forwarded-for': forwarded }
    const login = await call('POST /auth/login', { email, password }, { headers })
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { body } = await call('GET /users/@me/sessions', undefined, { cookie })
    expect(body.data.find(({ current }: { current: boolean }) => current).address).toMatch(address)
  })
})

describe('the scheme of a call', () => {
  test.each([
    ['http without a proxy, whatever the caller writes', direct, 'https', 'http'],
    ['what the proxy says', proxied, 'https', 'https'],
    ['what the proxy has appended, not what the caller wrote before it', proxied, 'https, http', 'http'],
    ['what the nearest proxy has appended', proxied, 'http, https', 'https'],
    ['http where a proxy says nothing', proxied, '', 'http'],
  ])('is %s', async (_what, { url, call }, forwarded, scheme) => {
    const { port } = new URL(url)
    // Another name than that of PUBLIC_URL, whose scheme is known.
    const isOwn = async (origin: string) => {
      const headers = { origin: `${origin}://127.0.0.1:${port}`, 'x-forwarded-proto': forwarded }
      return (await call('GET /config', undefined, { headers })).headers.has('access-control-allow-origin')
    }
    expect([await isOwn('http'), await isOwn('https')]).toEqual([scheme === 'http', scheme === 'https'])
  })
})
