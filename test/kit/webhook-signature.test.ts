import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { newWebhookSecret, signatureHeaders } from '../../src/kit/webhook-signature.ts'

const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1_614_265_330_999), body: '{"test": 2432232314}' }

test('signs the example that libraries of the standard are tested with', () => {
  expect(signatureHeaders(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toEqual({
    'webhook-id': example.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('signs with each secret, separated by a space, and none is like another', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  expect(secrets).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/), expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)])
  const { 'webhook-signature': both } = signatureHeaders(example, secrets)
  const each = secrets.map((secret) => signatureHeaders(example, [secret])['webhook-signature'])
  expect(new Set(each).size).toBe(2)
  expect(both).toBe(each.join(' '))
})

test('the receiver of README.md knows what is genuine', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const [, code = ''] = /```js\n(import [\s\S]*?webhook-signature[\s\S]*?)```/.exec(readme) ?? []
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const [secret, other] = [newWebhookSecret(), newWebhookSecret()]
  const webhook = { ...example, at: new Date() }
  const headers = signatureHeaders(webhook, [other, secret])
  expect([isGenuine(headers, example.body, secret), isGenuine(headers, example.body, other)]).toEqual([true, true])
  expect(isGenuine(headers, example.body, newWebhookSecret())).toBe(false)
  expect(isGenuine(headers, `${example.body} `, secret)).toBe(false)
  expect(isGenuine(signatureHeaders(example, [secret]), example.body, secret)).toBe(false)
})
