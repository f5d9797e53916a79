import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { familyOf, isPublicAddress, networkOf, siteOf, siteOfNetwork } from '../../src/kit/networks.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:C000:207', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:bbbb:cccc:dddd:eeee', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['192.000.002.007', '192.0.2.7'],
  ['010.0.0.08:4711', '10.0.0.8'],
  ['[2001:db8:1:2::1]:4711', '2001:db8:1:2::/64'],
  ['unknown-proxy', 'unknown-proxy'],
  ['127.1', '127.1'],
  [undefined, 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
  ['2001:db8:2:2::1', '2001:db8:2::/48'],
  ['fe80::1%eth0', 'fe80::/48'],
])('the site of %s is %s', (address, site) => {
  expect(siteOf(address)).toBe(site)
})

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['mailbox 2001:db8:1:ffff::/64', 'mailbox 2001:db8:1::/48'],
  [' 2001:db8:1:2::/64', ' 2001:db8:1::/48'],
  ['mailbox 192.0.2.7', 'mailbox 192.0.2.7'],
  ['prj_1', 'prj_1'],
  ['half/64', 'half'],
  [`${'x'.repeat(100)}/64`, `${'x'.repeat(100)}/64`],
])('the site of the network %j is %j', (network, site) => {
  expect(siteOfNetwork(network)).toBe(site)
})

test.each([
  ['168.63.129.16', false],
  ['::ffff:168.63.129.16', false],
  ['::ffff:a83f:8110', false],
  ['168.63.129.17', true],
  ['::ffff:168.63.129.15', true],
])('whether %s, at or beside the address of a service of the host at Azure, is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

test('familyOf accepts the same addresses as Node', () => {
  const texts = fc.oneof(
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.domain(),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.') }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(familyOf(text)).toBe({ 0: null, 4: 'ipv4', 6: 'ipv6' }[isIP(text)])
    }),
    { numRuns: 5_000 },
  )
})
