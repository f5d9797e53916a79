import { describe, expect, test } from 'vitest'
import { isTracked, rewriteLinks } from '../../../../src/modules/emails/message/links.ts'
import { readClickToken, readOpenToken } from '../../../../src/modules/emails/tracking/tokens.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const upper = (html: string): string => rewriteLinks(html, (url) => `[${url}]`)

describe('rewriteLinks', () => {
  test.each([
    ['<a href="https://x.y/?a=1&amp;b=2">t</a>', '<a href="[https://x.y/?a=1&b=2]">t</a>'],
    ["<A class='b' HREF = 'http://x.y'>t</A>", "<A class='b' HREF = '[http://x.y]'>t</A>"],
    ['<a href=https://x.y>t</a>', '<a href=[https://x.y]>t</a>'],
    ['<area href="https://x.y">', '<area href="[https://x.y]">'],
    ['<a title="a > b" href="https://x.y">', '<a title="a > b" href="[https://x.y]">'],
    ['<a\nhref="https://x.y"\n>', '<a\nhref="[https://x.y]"\n>'],
  ])('leads through us: %s', (html, expected) => expect(upper(html)).toBe(expected))

  test.each([
    '<a href="mailto:a@b.c">',
    '<a href="tel:+1">',
    '<a href="#top">',
    '<a href="/relative">',
    '<a href="javascript:alert(1)">',
    '<a href="https://">',
    '<a data-no-track href="https://x.y">',
    '<a href="https://x.y" data-no-track="1">',
    '<abbr href="https://x.y">',
    '<img src="https://x.y">',
    '<a href="https://x.y',
    '<a',
    'plain https://x.y text',
    '',
  ])('leaves alone: %s', (html) => expect(upper(html)).toBe(html))

  test('is quick for hostile text', () => {
    const started = performance.now()
    for (const html of ['<a '.repeat(200_000), '<a href="'.repeat(100_000), `<a ${'x="" '.repeat(200_000)}`, '<'.repeat(500_000)])
      upper(html)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('tokens', () => {
  const { vault } = world

  test('that are forged or of another project lead nowhere', () => {
    const mail = vault.sign('tracked mail', ['prj_a', 'eml_a'])
    const link = vault.sign('tracked link', ['prj_a', 'https://x.y/'])
    const foreign = vault.sign('tracked link', ['prj_b', 'https://evil.example/'])
    expect(readOpenToken(world, mail)).toEqual({ projectId: 'prj_a', id: 'eml_a' })
    expect(readClickToken(world, `${mail}~${link}`)).toEqual({ projectId: 'prj_a', id: 'eml_a', url: 'https://x.y/' })
    for (const forged of [
      '',
      '~',
      mail,
      link,
      `${mail}~${foreign}`,
      `${link}~${mail}`,
      `${mail}x~${link}`,
      `${mail}~${link}x`,
      `${mail}~`,
      '.~.',
    ]) {
      expect(readClickToken(world, forged)).toBeNull()
    }
    expect(readOpenToken(world, link)).toBeNull()
  })
})

test.each([
  ['ENABLED', null, 'TRANSACTIONAL', true],
  ['DISABLED', null, 'MARKETING', false],
  ['MARKETING_ONLY', null, 'TRANSACTIONAL', false],
  ['MARKETING_ONLY', null, 'MARKETING', true],
  ['DISABLED', true, 'TRANSACTIONAL', true],
  ['ENABLED', false, 'MARKETING', false],
] as const)('a project with tracking %s, the mail’s wish %s, type %s: tracked %s', (project, wish, type, expected) => {
  expect(isTracked({ tracking: project }, { tracking: wish, type })).toBe(expected)
})
