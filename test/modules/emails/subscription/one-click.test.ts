import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { getContact } from '../../../../src/modules/contacts/contacts.ts'
import { createDomain, listDomains } from '../../../../src/modules/domains/domains.ts'
import type { EmailType } from '../../../../src/modules/templates/shapes.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { accept, turnAndSweep } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture', PUBLIC_URL: 'https://mail.example.test' } })

/** Sends an email of a type, and returns it as it was handed to the mail server, with the record of its DKIM key. */
async function sent(type: EmailType, body = '<p>Hi</p>') {
  const { ctx, projectId } = await freshProject(world)
  await createDomain(ctx, { domain: 'acme.test' })
  const template = await createTemplate(ctx, { subject: 'Hi', body, from: 'hello@acme.test', type })
  const own = { from: undefined, subject: undefined, body: undefined }
  const { id, contactId } = await accept(ctx, { ...own, template: template.id, subscribed: true })
  await turnAndSweep(world, 0)
  const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
  const [domain] = await listDomains(ctx, { projectId })
  return { ctx, contactId, raw: Buffer.from(mail?.raw ?? ''), record: domain?.records[0]?.value ?? '' }
}

/** The fields a message has of a name, and whether its signature passes and covers them. */
async function checked(raw: Buffer, record: string) {
  const { results } = await dkimVerify(raw, { resolver: async () => [[record]] })
  const head =
    raw
      .toString('latin1')
      .split('\r\n\r\n')[0]
      ?.replace(/\r\n[ \t]+/g, ' ') ?? ''
  const covered =
    /\bh=([^;]*)/
      .exec(head)?.[1]
      ?.toLowerCase()
      .split(/[\s:]+/) ?? []
  const fieldsOf = (name: string) => [...head.matchAll(new RegExp(`^${name}: (.*)$`, 'gim'))].map(([, value]) => value)
  return { passes: results.map(({ status }: { status: { result: string } }) => status.result), covered, fieldsOf }
}

describe('one-click unsubscription (RFC 8058)', () => {
  test.each([
    ['a MARKETING email', 'MARKETING', '<p>Hi</p>'],
    ['a HEADLESS email with a link to unsubscribe', 'HEADLESS', '<a href="{{ unsubscribeUrl }}">x</a>'],
  ] as const)(
    'of %s: both fields, one https address, covered by a signature that passes, and a POST to it is enough',
    async (_what, type, body) => {
      const { ctx, contactId, raw, record } = await sent(type, body)
      const { passes, covered, fieldsOf } = await checked(raw, record)
      expect(passes).toEqual(['pass'])
      expect(covered).toEqual(expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'from', 'feedback-id']))
      expect(fieldsOf('List-Unsubscribe-Post')).toEqual(['List-Unsubscribe=One-Click'])
      expect(fieldsOf('List-Unsubscribe')).toEqual([expect.stringMatching(/^<https:\/\/mail\.example\.test\/unsubscribe\/[\w.-]+>$/)])
      const parsed = await simpleParser(raw)
      const { unsubscribe } = parsed.headers.get('list') as unknown as { unsubscribe: { url: string } }
      const { pathname } = new URL(unsubscribe.url)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await callAt(url, `POST ${pathname}`, 'List-Unsubscribe=One-Click', { headers })
      expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([200, 'text/plain; charset=utf-8', 'Unsubscribed'])
      expect((await getContact(ctx, { id: contactId })).subscribed).toBe(false)
    },
  )

  test('is not offered by a TRANSACTIONAL email without such a link', async () => {
    const { raw, record } = await sent('TRANSACTIONAL')
    const { passes, fieldsOf } = await checked(raw, record)
    expect([passes, fieldsOf('List-Unsubscribe'), fieldsOf('List-Unsubscribe-Post'), fieldsOf('Feedback-ID')]).toEqual([
      ['pass'],
      [],
      [],
      [],
    ])
  })
})

test.each([
  ['a second From', 'From: Mallory <m@evil.test>'],
  ['a second Subject', 'Subject: Pay now'],
  ['a second To', 'To: everybody@example.com'],
  ['a Cc that it had not', 'Cc: everybody@example.com'],
  ['a Reply-To that it had not', 'Reply-To: m@evil.test'],
  ['a second Date', 'Date: Thu, 01 Jan 2026 00:00:00 +0000'],
  ['a second Message-ID', 'Message-ID: <x@evil.test>'],
  ['a second Content-Type', 'Content-Type: text/html'],
  ['a second List-Unsubscribe', 'List-Unsubscribe: <https://evil.test/>'],
])('a message to which somebody adds %s does not pass any more (RFC 6376, 8.15); other fields may be added', async (_what, field) => {
  const { raw, record } = await sent('MARKETING')
  expect((await checked(Buffer.concat([Buffer.from('X-Relay: 1\r\nSender: relay@example.com\r\n'), raw]), record)).passes).toEqual(['pass'])
  expect((await checked(Buffer.concat([Buffer.from(`${field}\r\n`), raw]), record)).passes).toEqual(['fail'])
})
