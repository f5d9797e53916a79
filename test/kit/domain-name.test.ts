import { describe, expect, test } from 'vitest'
import { domainName } from '../../src/kit/domain-name.ts'

describe('domainName', () => {
  test.each([
    ['example.com', 'example.com'],
    ['  Mail.Example.COM ', 'mail.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['paral·lel.cat', 'xn--parallel-koa.cat'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a.b', 'a.b'],
    ['demo.test', 'demo.test'],
    [`${'x'.repeat(63)}.example`, `${'x'.repeat(63)}.example`],
  ])('converts %s to %s', (text, name) => {
    expect(domainName(text)).toBe(name)
  })

  test.each([
    '',
    'localhost',
    'com',
    'example.com.',
    '.example.com',
    'a..example.com',
    '-a.example.com',
    'a-.example.com',
    'under_score.example.com',
    '127.0.0.1',
    '0x7f.1',
    'example.123',
    '[::1]',
    'ada@example.com',
    'https://example.com',
    'example.com/path',
    'example.com:25',
    'exa mple.com',
    'example.com\0',
    'example.com\r\nBcc: x',
    'exa%6dple.com',
    'example.com／path',
    'example.com：25',
    'exa\u200bmple.com',
    'xn--abc.com',
    'xn--i-7iq.ws',
    'example.com。',
    `${'x'.repeat(64)}.example`,
    `${'x.'.repeat(126)}toolong`,
  ])('refuses %j', (text) => {
    expect(domainName(text)).toBeNull()
  })
})
