import { describe, expect, test } from 'vitest'
import { CpuBudget } from '../../../../src/kit/liquid.ts'
import type { Content, Recipient } from '../../../../src/modules/emails/message/content.ts'
import { trackContent, withUtm } from '../../../../src/modules/emails/message/links.ts'
import { renderContent } from '../../../../src/modules/emails/message/render.ts'
import { readClickToken } from '../../../../src/modules/emails/tracking/links.ts'
import * as standard from '../../../help/rendered.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const utm = { source: 'news letter', medium: 'email', campaign: null }
const labelled = 'utm_source=news%20letter&utm_medium=email'

/** The targets of the links of an email, as a browser would follow them. */
function linksOf(html: string, change: Partial<Content> = {}, of: Partial<Recipient> = {}): string[] {
  const recipient = { ...standard.recipient, utm, ...of }
  const content: Content = { ...standard.content, type: 'MARKETING', tracking: false, html, ...change }
  const rendered = trackContent(world, recipient, content, renderContent(world, { recipient, content, budget: new CpuBudget(500) }))
  const [body = ''] = rendered.html.split('<hr ')
  return [...body.matchAll(/href=(?:"([^"]*)"|'([^']*)'|([^\s>]*))/g)].map(([, one, other, bare]) => one ?? other ?? bare ?? '')
}

describe('UTM parameters', () => {
  test.each([
    ['https://x.y/', `https://x.y/?${labelled}`],
    ['https://x.y', `https://x.y?${labelled}`],
    ['https://x.y/?a=1', `https://x.y/?a=1&${labelled}`],
    ['https://x.y/?', `https://x.y/?${labelled}`],
    ['https://x.y/#top?x', `https://x.y/?${labelled}#top?x`],
    ['https://x.y/?utm_source=mine', 'https://x.y/?utm_source=mine'],
    ['https://x.y/?a=1&UTM_Campaign=mine', 'https://x.y/?a=1&UTM_Campaign=mine'],
    ['https://x.y/utm_source=path', `https://x.y/utm_source=path?${labelled}`],
  ])('of %s', (url, expected) => expect(withUtm(url, utm)).toBe(expected))

  test('have a campaign where one is set', () => {
    expect(withUtm('https://x.y/', { ...utm, campaign: 'a&b' })).toBe(`https://x.y/?${labelled}&utm_campaign=a%26b`)
  })

  test.each(['MARKETING', 'HEADLESS'] as const)('are added to the links of %s emails that are not tracked, escaped', (type) => {
    expect(linksOf('<a href="https://x.y/?a=&quot;1&quot;">t</a>', { type })).toEqual([
      `https://x.y/?a=&quot;1&quot;&amp;${labelled.replace('&', '&amp;')}`,
    ])
    expect(linksOf('<a href=https://x.y/a&#32;b>t</a>', { type })).toEqual([`https://x.y/a&#32;b?${labelled.replace('&', '&amp;')}`])
  })

  test('are added before links are tracked', () => {
    const [link = ''] = linksOf('<a href="https://x.y/">t</a>', { tracking: true })
    expect(readClickToken(world, link.slice(link.lastIndexOf('/') + 1))?.url).toBe(`https://x.y/?${labelled}`)
  })

  test.each([
    ['mailto', '<a href="mailto:a@b.c">t</a>', 'mailto:a@b.c'],
    ['tel', '<a href="tel:+1">t</a>', 'tel:+1'],
    ['an anchor', '<a href="#top">t</a>', '#top'],
    ['a path', '<a href="/x">t</a>', '/x'],
    ['a link that is not to be tracked', '<a data-no-track href="https://x.y/">t</a>', 'https://x.y/'],
    ['a link with parameters of its own', '<a href="https://x.y/?utm_medium=x&b=1">t</a>', 'https://x.y/?utm_medium=x&b=1'],
  ])('are not added to %s', (_what, html, expected) => {
    for (const tracking of [false, true])
      if (!(tracking && expected.includes('utm_'))) expect(linksOf(html, { tracking })).toEqual([expected])
  })

  test('are not added to TRANSACTIONAL emails, nor where the project has none', () => {
    expect(linksOf('<a href="https://x.y/">t</a>', { type: 'TRANSACTIONAL' })).toEqual(['https://x.y/'])
    expect(linksOf('<a href="https://x.y/">t</a>', {}, { utm: null })).toEqual(['https://x.y/'])
  })

  test.each([false, true])('never change the links of the contact’s own pages, tracked: %s', (tracking) => {
    const html = '<a href="{{ unsubscribeUrl }}">u</a><a href="{{ subscribeUrl }}">s</a><a href="{{ manageUrl }}?x=1">m</a>'
    const links = linksOf(html, { tracking })
    expect(links.map((link) => new URL(link).pathname.split('/')[1])).toEqual(['unsubscribe', 'subscribe', 'manage'])
    expect(links.join()).not.toContain('utm_')
  })
})

test('a link without a target beside others changes nothing but those', () => {
  const change = { type: 'TRANSACTIONAL' as const, tracking: true }
  const links = linksOf('<a href="https://x.y/">t</a><a href>e</a><a href="">f</a><a href="https://x.y/2">t</a>', change)
  expect(links.filter((link) => link.includes('/t/c/'))).toHaveLength(2)
  expect(links).toHaveLength(3)
})
