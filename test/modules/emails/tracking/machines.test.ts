import { expect, test } from 'vitest'
import { type EngagementRequest, machineOf } from '../../../../src/modules/emails/tracking/machines.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const asked = (userAgent: string | undefined, change: Partial<EngagementRequest> = {}) =>
  machineOf({ kind: 'open', method: 'GET', userAgent, ...change })

test.each([
  ['Firefox', firefox],
  ['Thunderbird', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Thunderbird/115.6.0'],
  ['Outlook', 'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.12026; Pro)'],
  ['Apple Mail without the proxy', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
  [
    'Gmail, which fetches pictures for its reader',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  ],
  ['Yahoo, which does the same', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
])('an open by %s is a person’s', (_who, userAgent) => expect(asked(userAgent)).toBeNull())

test.each([
  ['without a user agent', undefined, 'user agent'],
  ['by a crawler', 'Googlebot/2.1', 'user agent'],
  ['by a script', 'curl/8.5.0', 'user agent'],
  ['by Apple Mail Privacy Protection', 'Mozilla/5.0', 'Apple Mail Privacy Protection'],
])('an open %s is a machine’s', (_who, userAgent, reason) => expect(asked(userAgent)).toBe(reason))

test('a HEAD request is a machine’s whoever sends it', () => {
  expect(asked(firefox, { method: 'HEAD' })).toBe('HEAD request')
  expect(asked('GoogleImageProxy', { method: 'HEAD' })).toBe('HEAD request')
})

test.each([
  ['sec-purpose', 'prefetch'],
  ['sec-purpose', 'prefetch;prerender'],
  ['sec-purpose', 'prefetch;anonymous-client-ip'],
  ['sec-purpose', 'prerender'],
  ['purpose', 'prefetch'],
  ['x-purpose', 'preview'],
  ['x-purpose', 'prefetch'],
  ['x-moz', 'Prefetch'],
])('what is fetched ahead (%s: %s) is a machine’s', (name, value) => {
  for (const kind of ['open', 'click'] as const) expect(asked(firefox, { kind, headers: { [name]: value } })).toBe('prefetch')
})

test('other headers, and other purposes, say nothing', () => {
  expect(asked(firefox, { headers: { 'x-other': 'prefetch', purpose: 'reading', 'x-moz': '' } })).toBeNull()
})

test('picture proxies click no links: a click with their name is a machine’s', () => {
  expect(asked('YahooMailProxy; https://help.yahoo.com', { kind: 'click' })).toBe('user agent')
  expect(asked('Mozilla/5.0', { kind: 'click' })).toBe('user agent')
  expect(asked(firefox, { kind: 'click' })).toBeNull()
})
