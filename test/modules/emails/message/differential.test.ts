// MIME and DKIM are our own code for speed: these tests compare them with the libraries they replace.
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime, { decodeWords, type Email as ParsedEmail } from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { isWireReady } from '../../../../src/kit/smtp/message.ts'
import { composeMessage, encodeAttachment, type MessageParts } from '../../../../src/modules/emails/message/compose.ts'
import type { Attachment } from '../../../../src/modules/emails/message/content.ts'
import type { RenderedContent } from '../../../../src/modules/emails/message/render.ts'
import { signMessage } from '../../../../src/modules/emails/mime/sign.ts'

const letters = fc.constantFrom(...('abc XYZ09.,;:!?=_-+*/()<>@"\'\\&%$#|äßé日本語😀е\u0301\t'.match(/./gsu) ?? []))
const line = (maxLength: number) => fc.array(letters, { maxLength }).map((parts) => parts.join(''))
// Header values arrive trimmed; spaces inside are kept.
const headerText = (maxLength: number) => line(maxLength).map((text) => text.replaceAll('\t', ' ').replace(/ +/g, ' ').trim())
const body = fc.array(line(120), { maxLength: 12 }).map((lines) => lines.join('\n'))
const address = fc.constantFrom('ada@example.com', 'o’neil@example.com', 'a.b+c@sub.example.org').map((one) => one.replace('’', ''))

const recipient = fc.record({ name: fc.option(headerText(60)), email: address })
const file = fc.record({
  filename: headerText(80).map((name) => name.replace(/["\\/]/g, '') || 'file'),
  contentType: fc.constantFrom('application/pdf', 'image/png', 'text/csv'),
  bytes: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
  inline: fc.boolean(),
})

type Parts = Omit<MessageParts, 'content' | 'rendered'> & {
  rendered: RenderedContent
  content: Omit<MessageParts['content'], 'attachments'> & { attachments: Attachment[] }
}

const composed = ({ content, ...rest }: Parts) =>
  composeMessage({ ...rest, content: { ...content, attachments: content.attachments.map(encodeAttachment) } })

const parts: fc.Arbitrary<Parts> = fc
  .record({
    subject: headerText(200),
    html: body,
    text: body,
    fromName: fc.option(headerText(60)),
    to: recipient,
    cc: fc.array(recipient, { maxLength: 3 }),
    replyTo: fc.option(address),
    files: fc.array(file, { maxLength: 3 }),
    custom: headerText(150).map((text) => text || 'x'),
  })
  .map(({ subject, html, text, fromName, to, cc, replyTo, files, custom }) => ({
    email: {
      projectId: 'prj_x',
      source: 'TRANSACTIONAL',
      campaignId: null,
      id: 'eml_01m7y5a6pwe8ma0w1rp9ta1xh8',
      toAddress: to.email,
      toName: to.name,
      createdAt: new Date('2026-01-31T09:30:00Z'),
      projectName: 'Acme',
    },
    content: {
      type: 'TRANSACTIONAL',
      templateId: null,
      fromAddress: 'hello@demo.test',
      fromName,
      replyTo,
      cc,
      headers: { 'X-Custom': custom },
      attachments: files.map((one, at) => ({ ...one, cid: one.inline ? `file${at}@demo` : null })),
    },
    rendered: {
      subject,
      html,
      text,
      unsubscribable: false,
      links: { unsubscribeUrl: 'http://x/u', subscribeUrl: 'http://x/s', manageUrl: 'http://x/m' },
    },
  }))

function byNodemailer({ email, content, rendered }: Parts): Promise<Buffer> {
  const named = (name: string | null | undefined, it: string) => ({ name: name ?? '', address: it })
  const composer = new MailComposer({
    from: named(content.fromName ?? email.projectName, content.fromAddress),
    to: named(email.toName, email.toAddress),
    cc: (content.cc as { name: string | null; email: string }[]).map((one) => named(one.name, one.email)),
    ...(content.replyTo && { replyTo: content.replyTo }),
    subject: rendered.subject,
    html: rendered.html,
    text: rendered.text,
    date: email.createdAt,
    messageId: `<${email.id}@demo.test>`,
    headers: content.headers,
    attachments: content.attachments.map(({ filename, contentType, bytes, inline, cid }) => ({
      filename,
      contentType,
      content: bytes,
      contentDisposition: inline ? 'inline' : 'attachment',
      ...(cid && { cid }),
    })),
  })
  return composer.compile().build()
}

// What a mail program shows; it ignores the kind of line breaks and trailing spaces.
function seen(parsed: ParsedEmail): object {
  const plain = (text: string | undefined): string => (text ?? '').replace(/\r\n/g, '\n').trimEnd()
  const people = (list: ParsedEmail['to']) => (list ?? []).map(({ name, address: at }) => [name.trim(), at])
  return {
    subject: (parsed.subject ?? '').trim(),
    from: parsed.from && people([parsed.from]),
    to: people(parsed.to),
    cc: people(parsed.cc),
    replyTo: people(parsed.replyTo),
    messageId: parsed.messageId,
    date: parsed.date,
    html: plain(parsed.html),
    text: plain(parsed.text),
    custom: decodeWords(parsed.headers.find(({ key }) => key === 'x-custom')?.value ?? '').trim(),
    files: parsed.attachments
      .map(({ filename, mimeType, contentId, content }) => [
        filename,
        mimeType,
        contentId ?? null,
        Buffer.from(content as ArrayBuffer).toString('hex'),
      ])
      .sort(),
  }
}

// A message in pieces that may begin and end anywhere.
function cutAt(message: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (message.length + 1)).sort((a, b) => a - b), message.length]
  return places.slice(1).map((to, at) => message.subarray(places[at], to))
}

describe('a composed message', () => {
  test('is parsed like that of nodemailer, for 2,000 generated messages', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (one) => {
        const [ours, theirs] = await Promise.all([
          PostalMime.parse(Buffer.concat(composed(one))),
          PostalMime.parse(await byNodemailer(one)),
        ])
        expect(seen(ours)).toEqual(seen(theirs))
      }),
      { numRuns: 2_000 },
    )
  }, 120_000)

  test('is plain ASCII in lines of at most 998 characters that end with CRLF and begin with no dot, for 2,000 generated messages', () => {
    fc.assert(
      fc.property(parts, (one) => {
        const text = Buffer.concat(composed(one)).toString('latin1')
        expect(text).not.toMatch(/[^\r]\n|\r[^\n]|[^\n]{999}|[^\t\r\n\x20-\x7e]|\n\./)
        expect(isWireReady(composed(one))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  }, 120_000)
})

describe('a signed message', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
  const key = { domain: 'demo.test', selector: 'pw1', key: privateKey }
  const resolver = async (): Promise<string[][]> => [[record]]

  const rawBody = fc
    .array(fc.tuple(fc.constantFrom('', ' ', '\t', 'a', 'a  b', ' a \t ', '.', 'a=', 'Grüße'), fc.constant('\r\n')), { maxLength: 12 })
    .map((lines) => lines.flat().join(''))
    .chain((text) => fc.constantFrom(text, text.replace(/\r\n$/, '')))
  const rawHead = fc
    .array(
      fc.constantFrom(
        'Subject:  a\r\n  b ',
        'subject: x',
        'To:\tada@example.com',
        'List-Unsubscribe: <http://x/u>',
        'X-Other: 1',
        'Reply-To : a@b.test',
      ),
      {
        maxLength: 5,
      },
    )
    .map((fields) => ['From: Demo <hello@demo.test>', ...fields].join('\r\n'))

  test('is verified by mailauth, for 2,000 generated messages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          parts.map(composed),
          fc.tuple(rawHead, rawBody).map(([head, text]) => [Buffer.from(`${head}\r\n\r\n${text}`)]),
        ),
        fc.array(fc.nat(2_000), { maxLength: 4 }),
        async (message, cuts) => {
          const signed = signMessage(cutAt(Buffer.concat(message), cuts), key, new Date('2026-01-31T09:30:00Z'))
          const { results } = await dkimVerify(Buffer.concat(signed), { resolver })
          expect(results.map(({ status }: { status: { result: string } }) => status.result)).toEqual(['pass'])
        },
      ),
      { numRuns: 2_000 },
    )
  }, 120_000)

  test('is not verified once a signed octet is changed', async () => {
    const message = [Buffer.from('From: Demo <hello@demo.test>\r\nSubject: a\r\n\r\nb\r\n')]
    const signed = Buffer.concat(signMessage(message, key, new Date())).toString()
    const { results } = await dkimVerify(Buffer.from(signed.replace('Subject: a', 'Subject: c')), { resolver })
    expect(results.map(({ status }: { status: { result: string } }) => status.result)).toEqual(['fail'])
  })

  test.each(['From: Eve <eve@demo.test>', 'Subject: c', 'To: eve@demo.test', 'Reply-To: eve@demo.test'])(
    'is not verified once “%s” is added to it',
    async (added) => {
      const message = [Buffer.from('From: Demo <hello@demo.test>\r\nTo: ada@example.com\r\nSubject: a\r\n\r\nb\r\n')]
      const signed = Buffer.concat(signMessage(message, key, new Date())).toString()
      const verdictOf = async (text: string) => (await dkimVerify(Buffer.from(text), { resolver })).results[0]?.status.result
      expect([await verdictOf(signed), await verdictOf(`${added}\r\n${signed}`)]).toEqual(['pass', 'fail'])
    },
  )
})
