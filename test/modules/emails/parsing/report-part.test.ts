import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { findReportPart, textOf, withoutComments } from '../../../../src/modules/emails/parsing/report-part.ts'
import { readReports } from '../../../../src/modules/emails/parsing/reports.ts'
import { abuseReport, dsn } from '../../../help/reports.ts'

const status = 'message/delivery-status'
const type = (value: string) => `Content-Type: ${value}\r\n\r\n`
const multipart = (parts: string[], boundary = 'b') =>
  `${type(`multipart/mixed; boundary="${boundary}"`)}${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`
const statusText = dsn().toString().split('--b\r\n')[2]?.replace(type(status), '') ?? ''
const found = (text: string) => findReportPart(Buffer.from(text))?.body.toString().trim()

describe('the part of a message that reports', () => {
  test.each<[string, string]>([
    ['of a multipart/report', dsn().toString()],
    ['which is the message itself', dsn().toString().split('--b\r\n')[2] ?? ''],
    ['that was forwarded in a part of its own', multipart([type('text/plain'), dsn().toString(), type('image/png')], 'outer')],
    ['in internationalized form', dsn().toString().replace(status, 'message/global-delivery-status')],
    ['in capitals, with a comment', dsn().toString().replace(status, 'MESSAGE/Delivery-Status (RFC 3464)')],
    ['whose boundary is quoted, escaped and folded', dsn().toString().replace('boundary=b', 'BOUNDARY =\r\n "\\b"')],
    ['with plain ends of lines', dsn().toString().replaceAll('\r\n', '\n')],
    ['with spaces behind its boundaries', dsn().toString().replaceAll('--b\r\n', '--b \t\r\n')],
    ['whose last boundary is missing', dsn().toString().replace('--b--', '')],
    ['behind lines that look like boundaries', dsn().toString().replace('This is', '\r\n--bb\r\n--b-\r\n--b--x\r\n---b\r\nThis is')],
    ['without an empty line before its end', dsn().toString().replaceAll('\r\n\r\n--b', '\r\n--b')],
    [
      'whose boundary is in pieces',
      dsn().toString().replace('boundary=b', 'boundary*1="c"; boundary*0*=us-ascii\'\'%62').replaceAll('--b', '--bc'),
    ],
    ['whose boundary is encoded', dsn().toString().replace('boundary=b', "boundary*=us-ascii'en'%62")],
    [
      'whose boundary comes late',
      dsn()
        .toString()
        .replace('boundary=b', `x="${'y'.repeat(2_000)}"; boundary=b`),
    ],
    ['whose type begins with a comment', dsn().toString().replaceAll('Content-Type: m', 'Content-Type: (a) (b) m')],
    [
      'whose encoding has a comment',
      dsn().toString().replace(`${status}\r\n`, `${status}\r\nContent-Transfer-Encoding: 7bit (as it is)\r\n`),
    ],
    ['whose type begins with a comment in a comment', dsn().toString().replaceAll('Content-Type: m', 'Content-Type: (a (b)) m')],
    [
      'whose encoding is in capitals, behind a comment in a comment',
      `Content-Type: ${status}\r\nContent-Transfer-Encoding : (x (y)) BASE64\r\n\r\n${Buffer.from(statusText).toString('base64')}`,
    ],
    ['behind a part with a header alone', dsn().toString().replace('--b\r\n', '--b\r\n--b\r\nX: y\r\n--b\r\n')],
  ])('is found: one %s', async (_what, text) => {
    expect(await readReports(Buffer.from(text))).toMatchObject([{ kind: 'failed', answer: { enhanced: '5.1.1' } }])
  })

  test('is that of a status before one of abuse, and otherwise the first', () => {
    const [abuse, first, second] = ['Feedback-Type: abuse', 'A: 1', 'A: 2']
    const parts = [`${type('message/feedback-report')}${abuse}`, `${type(status)}${first}`, `${type(status)}${second}`]
    expect(found(multipart(parts))).toBe(first)
    expect(found(multipart(parts.slice(0, 1)))).toBe(abuse)
  })

  test.each<[string, string]>([
    ['an email', 'Subject: Hello\r\n\r\nHello'],
    ['one that quotes such a report', `${type('text/plain')}${dsn()}`],
    ['one that has it with it as a message', multipart([`${type('message/rfc822')}${dsn()}`], 'outer')],
    ['one whose header names no boundary', dsn().toString().replace('boundary=b', '')],
    ['one with another boundary', dsn().toString().replace('boundary=b', 'boundary=c')],
    ['one with an empty boundary', dsn().toString().replace('boundary=b', 'boundary=""')],
    ['nothing', ''],
    ['one behind the last boundary', dsn().toString().replace('--b\r\n', '--b--\r\n')],
  ])('is missing in %s', (_what, text) => {
    expect(findReportPart(Buffer.from(text))).toBeNull()
  })

  test('is looked for in 100 parts, ten levels and 2,000 lines that may be boundaries', () => {
    const last = `${type(status)}A: 1`
    const parts = (count: number) => multipart([...Array.from({ length: count }, () => type('text/plain')), last])
    expect([found(parts(98)), found(parts(99))]).toEqual(['A: 1', undefined])
    const levels = (count: number): string => (count === 0 ? last : multipart([levels(count - 1)], `b${count}`))
    expect([found(levels(10)), found(levels(11))]).toEqual(['A: 1', undefined])
    const lines = (count: number) => multipart([`${type('text/plain')}${'\r\n--'.repeat(count)}\r\n`, last])
    expect([found(lines(1_997)), found(lines(1_999))]).toEqual(['A: 1', undefined])
  })

  test.each(['Final-Recipient', 'Action', 'Status', 'Diagnostic-Code'])('is read to its last line, such as %s', async (last) => {
    const usual = await readReports(dsn())
    const value = {
      'Final-Recipient': 'rfc822; ada@example.com',
      Action: 'failed',
      Status: '5.1.1',
      'Diagnostic-Code': 'smtp; 550 5.1.1 User unknown',
    }[last]
    const text = dsn({ [last]: null, 'X-Other': `x\r\n${last}: ${value}` }).toString()
    for (const raw of [text, text.replaceAll('\r\n\r\n--b', '\r\n--b'), text.replaceAll('\r\n\r\n--b', '\n--b')])
      expect(await readReports(Buffer.from(raw))).toEqual(usual)
  })

  test('is of the first 64 KB', () => {
    expect(findReportPart(Buffer.from(`${type(status)}${'A: 1\n'.repeat(100)}${'x'.repeat(100_000)}`))?.body.length).toBe(65_536)
  })
})

test.each([
  ['a (b) c', 'a   c'],
  ['(a (b (c)) d) e', '  e'],
  ['(a \\) b) c', '  c'],
  ['"a (b) \\" (c)" (d)', '"a (b) \\" (c)"  '],
  ['(5" (x)) a', '  a'],
  ['a) b', 'a) b'],
  ['a (b', 'a '],
])('the comments of %s are left out', (value, left) => {
  expect(withoutComments(value)).toBe(left)
})

test('a report of abuse is read', async () => {
  expect(await readReports(abuseReport())).toEqual([{ kind: 'complaint', recipients: ['ada@example.com'], originals: [] }])
})

const encodings = {
  '7bit': (text: string) => text,
  base64: (text: string) => Buffer.from(text).toString('base64'),
  'quoted-printable': (text: string) => text.replaceAll('=', '=3D'),
}

const line = fc.oneof(fc.constantFrom('--', '--b', '', 'A: =3D', '--b0--', '--b1'), fc.string({ maxLength: 20 }))
const leaf = fc
  .record({
    type: fc.constantFrom(status, 'message/feedback-report', 'text/plain', 'message/rfc822', 'image/png'),
    encoding: fc.constantFrom('7bit', 'base64', 'quoted-printable') as fc.Arbitrary<keyof typeof encodings>,
    lines: fc.array(line, { maxLength: 4 }),
  })
  .map(({ type, encoding, lines }) => {
    const body = encodings[encoding](lines.join('\r\n').replace(/[\r\n]*$/, ''))
    return `Content-Transfer-Encoding: ${encoding}\r\nContent-Type: ${type}\r\n\r\n${body}`
  })
type Tree = string | Tree[]
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('tree'), { maxLength: 3 })),
}))
// A boundary is one of no part inside it (RFC 2046, 5.1.2).
const messageOf = (one: Tree, depth = 0): string =>
  typeof one === 'string'
    ? one
    : multipart(
        one.map((part) => messageOf(part, depth + 1)),
        `b${depth}`,
      )

// The library leaves out the empty line before it, and ends each line, also the one before a boundary.
const plain = (text: string) => text.replaceAll('\r\n', '\n').replace(/^\n+|\n+$/g, '')

// It is ours because the library takes long for what is of no interest; both find the same.
test('a message of any structure reports what the library reads in its parts', async () => {
  await fc.assert(
    fc.asyncProperty(
      tree.map((one) => messageOf(one)),
      async (message) => {
        const raw = Buffer.from(message)
        const { attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true })
        const expected = [status, 'message/feedback-report'].flatMap(
          (mimeType) => attachments.find((part) => part.mimeType === mimeType) ?? [],
        )[0]
        const part = findReportPart(raw)
        const actual = part && { mimeType: part.kind === 'status' ? status : 'message/feedback-report', text: plain(await textOf(part)) }
        const text = expected && Buffer.from(expected.content as ArrayBuffer).toString()
        expect(actual).toEqual(text === undefined ? null : { mimeType: expected?.mimeType, text: plain(text) })
      },
    ),
    { numRuns: 2_000 },
  )
})
