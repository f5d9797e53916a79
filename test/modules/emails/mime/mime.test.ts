import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { composeMessage, encodeAttachment, type MessageParts, recipientsOf } from '../../../../src/modules/emails/message/compose.ts'
import { base64, field, formatAddress, headerText } from '../../../../src/modules/emails/mime/mime.ts'

const links = {
  unsubscribeUrl: 'http://localhost/unsubscribe/x',
  subscribeUrl: 'http://localhost/subscribe/x',
  manageUrl: 'http://localhost/manage/x',
}
const email = {
  projectId: 'prj_x',
  source: 'TRANSACTIONAL' as const,
  campaignId: null as string | null,
  id: 'eml_01m7y5a6pwe8ma0w1rp9ta1xh8',
  toAddress: 'ada@example.com',
  toName: null,
  createdAt: new Date('2026-01-31T09:30:00Z'),
  projectName: 'Acme',
}
const content = {
  type: 'TRANSACTIONAL' as const,
  templateId: null,
  fromAddress: 'hello@demo.test',
  fromName: 'Demo',
  replyTo: null,
  cc: [],
  headers: {},
  attachments: [],
}
const rendered = { subject: 'Hi', html: '<p>Hi</p>', text: 'Hi', unsubscribable: false, links }

function raw(change: { email?: object; content?: object; rendered?: object } = {}): Buffer {
  return Buffer.concat(
    composeMessage({
      email: { ...email, ...change.email },
      content: { ...content, ...change.content },
      rendered: { ...rendered, ...change.rendered },
    } as MessageParts),
  )
}

test('names that are written from right to left and emoji in the subject arrive as they were given', async () => {
  const [from, to, subject] = ['شركة المثال', 'דנה לוי', '🎉 مرحبا דנה, two for one']
  const mail = await simpleParser(raw({ email: { toName: to }, content: { fromName: from }, rendered: { subject } }))
  expect([mail.from?.value[0]?.name, [mail.to].flat()[0]?.value[0]?.name, mail.subject]).toEqual([from, to, subject])
})

describe('header fields', () => {
  test.each([
    ['plain words', 'Hello there', 'Hello there'],
    ['umlauts', 'Grüße', '=?UTF-8?B?R3LDvMOfZQ==?='],
    ['what looks like an encoded word', '=?utf-8?Q?x?=', '=?UTF-8?B?PT91dGYtOD9RP3g/PQ==?='],
    ['line breaks', 'a\r\nBcc: b', 'a Bcc: b'],
  ])('%s', (_what, text, expected) => expect(headerText(text)).toBe(expected))

  test.each([
    ['Ada Lovelace', 'Ada Lovelace <a@x.y>'],
    ['Lovelace, "Ada" \\', '"Lovelace, \\"Ada\\" \\\\" <a@x.y>'],
    ['Ada\r\nBcc: b@x.y', '"Ada Bcc: b@x.y" <a@x.y>'],
    ['', 'a@x.y'],
    [null, 'a@x.y'],
  ])('the name %j', (name, expected) => expect(formatAddress(name, 'a@x.y')).toBe(expected))

  test('are folded at spaces, never into an empty line', () => {
    expect(
      field('Subject', 'word '.repeat(40))
        .split('\r\n')
        .every((line) => line.length <= 77 && line.trim() !== ''),
    ).toBe(true)
    expect(field('X', `${' '.repeat(100)}end`).replaceAll('\r\n', '')).toBe(`X: ${' '.repeat(100)}end`)
  })

  test.each([
    ['Japanese', '日本語'.repeat(100)],
    ['umlauts', 'ä'.repeat(400)],
    ['pairs of surrogates', '😀'.repeat(200)],
    ['mostly ASCII', `${'word '.repeat(150)}ß`],
    ['one long word', 'x'.repeat(998)],
    ['mostly spaces', `a${' '.repeat(996)}b`],
  ])('a long subject arrives unchanged: %s', async (_what, subject) => {
    const bytes = raw({ rendered: { subject } })
    expect((await simpleParser(bytes)).subject).toBe(subject)
    expect(
      Math.max(
        ...bytes
          .toString('latin1')
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(78)
  })
})

describe('a body', () => {
  test.each([
    ['lone dots', '.\n..\n.end'],
    ['long lines', 'x'.repeat(3_000)],
    ['blanks at the end', 'a \t\nb \n'],
    ['any language', 'Grüße 日本語 😀'],
    ['what looks encoded', '=3D =\nFrom here'],
    ['its own boundary', '--=_eml_01m7y5a6pwe8ma0w1rp9ta1xh8.alternative--'],
  ])('with %s arrives unchanged', async (_what, text) => {
    const bytes = raw({ rendered: { text, html: `<pre>${text}</pre>` } })
    const parsed = await simpleParser(bytes)
    expect(parsed.text).toBe(text)
    expect(parsed.html).toBe(`<pre>${text}</pre>`)
    expect(bytes.toString('latin1')).not.toMatch(/[^\r]\n|\r[^\n]|.{999}/)
  })
})

describe('base64', () => {
  test.each([0, 1, 2, 3, 56, 57, 58, 114, 56_999, 57_000, 57_001, 114_001])('of %i bytes has lines of 76 characters', (length) => {
    const bytes = Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 37) % 251))
    const expected = bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n')
    expect(Buffer.from(base64(bytes)).toString('latin1')).toBe(expected)
  })
})

describe('attachments', () => {
  const picture = encodeAttachment({
    filename: 'pic.png',
    contentType: 'image/png',
    cid: 'pic@demo',
    inline: true,
    bytes: Buffer.from('picture'),
  })
  const report = encodeAttachment({
    filename: 'Bericht für “März” 2026.pdf',
    contentType: 'application/pdf',
    cid: null,
    inline: false,
    bytes: Buffer.alloc(5_000, 7),
  })

  test('inline pictures are related to the HTML, other files are attached, with names in any language', async () => {
    const parsed = await simpleParser(raw({ content: { attachments: [report, picture] }, rendered: { html: '<img src="cid:pic@demo">' } }))
    expect(
      parsed.attachments.map(({ filename, contentType, related, content: bytes }) => [
        filename,
        contentType,
        related ?? false,
        bytes.length,
      ]),
    ).toEqual([
      ['pic.png', 'image/png', true, 7],
      [report.filename, 'application/pdf', false, 5_000],
    ])
    expect(parsed.html).toContain('data:image/png;base64,')
  })

  test('that are large are not copied into the messages they are sent with', () => {
    const file = encodeAttachment({ ...report, bytes: Buffer.alloc(50_000, 7) })
    const messages = ['ada', 'bob'].map((name) =>
      composeMessage({ email: { ...email, toAddress: `${name}@example.com` }, content: { ...content, attachments: [file] }, rendered }),
    )
    expect(file.base64.buffer).toBeInstanceOf(SharedArrayBuffer)
    for (const message of messages) expect(message.filter(({ buffer }) => buffer === file.base64.buffer)).toEqual([file.base64])
    expect(messages.map((message) => message.length)).toEqual([3, 3])
  })

  test.each([
    ['logo', 'logo'],
    ['image001.png@01D9ABCD.12345678', 'image001.png@01D9ABCD.12345678'],
    ['grüße "1">\r\nX: y', 'gr%C3%BC%C3%9Fe%20%221%22%3E%0D%0AX%3A%20y'],
  ])('the id %j, also of emails accepted before it was checked, is sent as %s', (cid, expected) => {
    const text = raw({ content: { attachments: [{ ...picture, cid }] } }).toString('latin1')
    expect(text.match(/^Content-ID: .*$/gm)).toEqual([`Content-ID: <${expected}>`])
    expect(text).not.toMatch(/^X: y/m)
  })

  test.each(['text/html\r\nX: y', 'message/rfc822', 'nonsense'])('the type %j is sent as application/octet-stream', async (contentType) => {
    const parsed = await simpleParser(raw({ content: { attachments: [{ ...report, filename: 'report', contentType }] } }))
    expect(parsed.attachments[0]?.contentType).toBe('application/octet-stream')
    expect(parsed.headers.has('x')).toBe(false)
  })
})

describe('headers of the message', () => {
  test('Message-ID and Date are those of the acceptance', async () => {
    const parsed = await simpleParser(raw())
    expect(parsed.messageId).toBe(`<${email.id}@demo.test>`)
    expect(parsed.date).toEqual(email.createdAt)
  })

  test('headers of the caller override ours, and either List-Unsubscribe header replaces both', async () => {
    const given = { 'Reply-To': 'other@demo.test', 'list-unsubscribe-POST': 'mine', precedence: 'list' }
    const text = raw({
      content: { type: 'MARKETING', replyTo: 'reply@demo.test', headers: given },
      rendered: { unsubscribable: true },
    }).toString()
    expect(text.match(/^reply-to:.*$/gim)).toEqual(['Reply-To: other@demo.test'])
    expect(text.match(/^list-unsubscribe.*$/gim)).toEqual(['list-unsubscribe-POST: mine'])
    expect(text.match(/^precedence:.*$/gim)).toEqual(['precedence: list'])
    expect(text).toContain('Auto-Submitted: auto-generated')
  })

  const bulk = /^(?:precedence: bulk|auto-submitted: auto-generated|x-auto-response-suppress: all)$/gim
  const types = ['MARKETING', 'HEADLESS', 'TRANSACTIONAL'] as const

  test.each([
    ...types.map((type) => ['CAMPAIGN', type, 3] as const),
    ...types.map((type) => ['TRANSACTIONAL', type, type === 'MARKETING' ? 3 : 0] as const),
    ...types.map((type) => ['WORKFLOW', type, type === 'MARKETING' ? 3 : 0] as const),
  ])('email of a %s of the type %s has %i headers that ask automatic responders not to reply (RFC 3834)', (source, type, count) => {
    expect(raw({ email: { source }, content: { type } }).toString().match(bulk) ?? []).toHaveLength(count)
  })

  test.each([
    ['MARKETING', { templateId: 'tpl_x' }, null, 'tpl_x:prj_x:MARKETING:postwire'],
    ['HEADLESS', { templateId: 'tpl_x' }, 'cmp_x', 'cmp_x:prj_x:HEADLESS:postwire'],
    ['MARKETING', {}, null, ':prj_x:MARKETING:postwire'],
  ])('Feedback-ID tells Gmail what complaints about bulk email belong to: %s of %j and %s', (type, of, campaignId, expected) => {
    const text = raw({ email: { campaignId }, content: { type, ...of } }).toString()
    expect(text.match(/^Feedback-ID:.*$/gm)).toEqual([`Feedback-ID: ${expected}`])
  })

  test('TRANSACTIONAL email has no Feedback-ID, and that of a caller overrides ours', () => {
    expect(raw({ content: { templateId: 'tpl_x' } }).toString()).not.toMatch(/^Feedback-ID/m)
    const headers = { 'feedback-id': 'mine:postwire' }
    expect(
      raw({ content: { type: 'MARKETING', headers } })
        .toString()
        .match(/^feedback-id:.*$/gim),
    ).toEqual(['feedback-id: mine:postwire'])
  })

  test('bcc addresses are in the envelope only', () => {
    const copies = { cc: [{ email: 'c@example.com', name: null }], bcc: [{ email: 'b@example.com', name: 'B' }] }
    expect(recipientsOf(email, copies)).toEqual(['ada@example.com', 'c@example.com', 'b@example.com'])
    const spelled = { cc: [{ name: null, email: 'ada@xn--bcher-kva.example' }], bcc: [] }
    expect(recipientsOf({ toAddress: 'ada@bücher.example' }, spelled)).toEqual(['ada@bücher.example'])
    expect(raw({ content: copies }).toString()).not.toContain('b@example.com')
  })
})
