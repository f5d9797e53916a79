import { describe, expect, test } from 'vitest'
import { CpuBudget } from '../../../../src/kit/liquid.ts'
import { type RequestDraft, renderRequest } from '../../../../src/modules/workflows/calls/render.ts'

const draft: RequestDraft = { url: 'https://acme.test/', method: 'POST', headers: {}, body: { kind: 'none' } }
const render = (more: Partial<RequestDraft>, scope: Record<string, unknown> = {}) =>
  renderRequest({ ...draft, ...more }, scope, new CpuBudget(1_000))
const urlOf = (url: string, x: unknown) => render({ url }, { x }).url

describe('a value in a URL stays in its place', () => {
  test.each([
    ['https://acme.test/users/{{ x }}', '../admin?a=1#b', 'https://acme.test/users/..%2Fadmin%3Fa%3D1%23b'],
    ['https://acme.test/?q={{ x }}&r=1', 'a&r=2', 'https://acme.test/?q=a%26r%3D2&r=1'],
    ['https://acme.test/{{ x | url_encode }}', 'a b', 'https://acme.test/a+b'],
    ['https://acme.test/{% capture y %}{{ x }}{% endcapture %}{{ y }}', 'a/b', 'https://acme.test/a%2Fb'],
    ['https://acme.test/{{ x | raw }}', 'a/b', 'https://acme.test/a/b'],
    ['https://acme.test/{{ x }}', '\uD800', 'https://acme.test/%EF%BF%BD'],
    ['https://acme.test/{{ x }}', null, 'https://acme.test/'],
    ['{{ x }}', ' https://acme.test/a?b=1\n', 'https://acme.test/a?b=1'],
    ['{{ x }}/hook/{{ x }}', 'https://a.test', 'https://a.test/hook/https%3A%2F%2Fa.test'],
  ])('%s with %j', (url, x, expected) => {
    expect(urlOf(url, x)).toBe(expected)
  })

  test.each(['127.0.0.1/', 'evil.test#', 'evil.test?', 'evil.test:80', 'user@evil.test', 'evil.test\\'])('%s is no part of a host', (x) => {
    expect(URL.canParse(urlOf('https://{{ x }}.acme.test/', x))).toBe(false)
  })
})

test('a value in a header stays on its line', () => {
  const headers = { 'x-a': 'a {{ x }}', 'x-b': '{{ y }}' }
  expect(render({ headers }, { x: 'b\r\nhost: evil.test\0', y: '\t\u2028ü\n' }).headers).toEqual({
    'x-a': 'a b host: evil.test',
    'x-b': '\u2028ü'.trim(),
  })
})

test('a value in JSON stays in its text', () => {
  const value = { name: '{{ x }}', list: ['{{ x }}', 1, null, true], '{{ x }}': '{{ object }}' }
  const x = '","admin":true,"'
  const { body } = render({ body: { kind: 'json', value } }, { x, object: { a: 1 } })
  expect(JSON.parse(body ?? '')).toEqual({ name: x, list: [x, 1, null, true], '{{ x }}': '{"a":1}' })
})

test.each([
  ['text', 'a={{ x }}', 'a=b&c="d'],
  ['url', 'a={{ x }}', 'a=b%26c%3D%22d'],
] as const)('a text that is written as %s', (format, source, expected) => {
  expect(render({ body: { kind: 'text', source, format } }, { x: 'b&c="d' }).body).toBe(expected)
})

test('what is ready is not a template', () => {
  expect(render({ body: { kind: 'ready', text: '{{ x }}' } }, { x: 1 }).body).toBe('{{ x }}')
})

test.each<[string, Partial<RequestDraft>]>([
  ['URL', { url: 'https://acme.test/{{ long }}' }],
  ['headers', { headers: { 'x-a': '{{ long }}' } }],
  ['body', { body: { kind: 'json', value: Array(150).fill('{{ long }}') } }],
  ['body', { body: { kind: 'text', source: '{{ long }}'.repeat(150), format: 'text' } }],
])('too long a %s fails with a sentence', (what, more) => {
  expect(() => render(more, { long: 'x'.repeat(25_000) })).toThrow(new RegExp(`^The ${what} .*(longer|more) than`))
})
