import { expect, test, vi } from 'vitest'
import { emailAddress } from '../../src/kit/address.ts'
import { domainName } from '../../src/kit/domain-name.ts'
import { parseUrl } from '../../src/kit/urls.ts'
import { sources } from '../help/sources.ts'

const letters = (count: number): string => Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('')

test.each([
  ['a plain one', 'https://example.com/a?b#c'],
  ['an international one', 'https://Bücher.example/'],
  ['an encoded one', 'https://b%C3%BCcher.example:8443/x'],
  ['a long path', `https://example.com/${'a'.repeat(5_000)}`],
  ['a long query', `https://example.com?${letters(5_000)}`],
  ['a long fragment', `https://example.com#${'a'.repeat(5_000)}`],
  ['a long user', `https://${'u'.repeat(500)}:${'p'.repeat(500)}@example.com/`],
  ['many addresses', `mailto:${Array.from({ length: 50 }, (_, at) => `person${at}@example.com`).join(',')}`],
  ['backslashes', ` https:\\\\example.com\\${'a'.repeat(300)}`],
  ['none', 'nothing'],
  ['nothing', ''],
])('a URL is read as browsers read it: %s', (_what, text) => {
  expect(parseUrl(text)?.href).toBe(URL.parse(text)?.href)
})

test.each([
  ['plain', `https://${letters(300)}.test/`],
  ['encoded', `https://${encodeURIComponent(letters(300))}.test/`],
  ['with a user and a port', `https://user@${letters(300)}.test:8080/`],
  ['without slashes', `https:${letters(300)}.test`],
  ['with line breaks, tabs and backslashes', `ht\ntps:\\/\t${letters(300)}.test?x`],
  ['in ASCII', `wss://${'a.'.repeat(300)}test`],
])('a URL with a host longer than any name is none, and nothing is computed: %s', (_what, text) => {
  const parse = vi.spyOn(URL, 'parse')
  expect(parseUrl(text)).toBeNull()
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})

// Selectors of variants are no part of the name that is computed.
test('a domain that is longer than 253 characters is none, also if its name would be shorter', () => {
  const spelled = (count: number) => `a${'\ufe0f'.repeat(count)}.test`
  expect(domainName(spelled(200))).toBe('a.test')
  expect(domainName(spelled(300))).toBeNull()
  expect(emailAddress(`ada@${spelled(200)}`)).toBe('ada@a.test')
  expect(emailAddress(`ada@${spelled(300)}`)).toBeNull()
})

test('only these files compute what names and addresses mean, because the machine takes the square of their length', () => {
  const computing = sources('src', /\.ts$/).filter(
    ({ path, text }) => !/dashboard/.test(path) && /domainToASCII\(|URL\.(parse|canParse)\(/.test(text),
  )
  expect(computing.map(({ path }) => path).sort()).toEqual(['src/kit/domain-name.ts', 'src/kit/urls.ts'])
})
