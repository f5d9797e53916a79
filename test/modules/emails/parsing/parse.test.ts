import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseMessage, parseReports, parseText } from '../../../../src/modules/emails/parsing/parse.ts'
import { dsn } from '../../../help/reports.ts'
import { turnsDuring } from '../../../help/turns.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const sender = '192.0.2.1'
const size = 300_000
const multipart = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
const manyParts = (count: number, each = '') => Buffer.from(multipart + `--b\r\n\r\n${each}\r\n`.repeat(count))
// More than two seconds of computing time, on any machine.
const tooManyParts = manyParts(600_000)
// Long enough to be with those that take long.
const longParts = manyParts(8_000, 'x'.repeat(70))
const reported = [{ kind: 'failed', answer: { code: 550, enhanced: '5.1.1' }, recipients: ['ada@example.com'] }]

describe('the report of a message', () => {
  test.each<[string, Record<string, string>]>([
    ['very many lines', { 'X-Line': `a${`\r\na: ${'b'.repeat(14)}`.repeat(size / 19)}` }],
    ['very many spaces before a carriage return', { 'X-Line': `${' '.repeat(size)}b\rb` }],
    ['a recipient of very many brackets', { 'Original-Recipient': `rfc822; ada@example.com${'>'.repeat(size)}x` }],
    ['a very long diagnosis', { 'X-Line': '<'.repeat(size) }],
  ])('is read in time that grows with it, with %s', async (_what, fields) => {
    const [first] = await parseReports(world, { raw: dsn(fields), sender })
    expect(first).toMatchObject({ ...reported[0], recipients: expect.arrayContaining(['ada@example.com']) })
  })

  test('is read of up to 2,000 of its own lines, whatever stands before it', async () => {
    const before = Buffer.from(
      dsn()
        .toString()
        .replace('This is what happened', `${'x\r\n'.repeat(50_000)}${'QQ=='.repeat(10_000)}`),
    )
    expect(await parseReports(world, { raw: before, sender })).toMatchObject(reported)
    expect(await parseReports(world, { raw: dsn({ 'X-Line': `a${'\r\n a'.repeat(1_900)}` }), sender })).toMatchObject(reported)
    const late = { 'Final-Recipient': null, 'X-Line': `a${'\r\n a'.repeat(2_000)}\r\nFinal-Recipient: rfc822; ada@example.com` }
    expect(await parseReports(world, { raw: dsn(late), sender })).toEqual([{ kind: 'unread', recipients: [], originals: [] }])
  })

  test.each(['Status', 'Diagnostic-Code'])('says nothing of a recipient whose %s is not read any more', async (name) => {
    const value = { Status: '5.1.1', 'Diagnostic-Code': 'smtp; 550 5.1.1 no such user' }[name]
    const late = { [name]: null, 'X-Line': `a${'\r\n a'.repeat(2_000)}\r\n${name}: ${value}` }
    expect(await parseReports(world, { raw: dsn(late), sender })).toEqual([{ kind: 'unread', recipients: [], originals: [] }])
  })

  test('is read of its first 256 KB: whatever message it returns, and nothing that comes later', async () => {
    const line = `${'x'.repeat(98)}\r\n`
    expect(await parseReports(world, { raw: dsn({}, `\r\n${line.repeat(9_000)}`), sender })).toMatchObject(reported)
    const late = Buffer.from(dsn().toString().replace('This is what happened', line.repeat(2_700)))
    expect(await parseReports(world, { raw: late, sender })).toEqual([])
  })
})

// Each was seconds of computing time, which everybody else waited for.
test.each<[string, string]>([
  ['messages in messages, with very many lines', 'Content-Type: message/rfc822\r\n\r\n'.repeat(15) + 'a\n'.repeat(68_000)],
  ['messages in parts of messages', Array.from({ length: 8 }, (_, at) => nested(at)).join('') + 'a\n'.repeat(100_000)],
  ['nothing but empty lines', `\r\n${'\n'.repeat(250_000)}`],
  ['recipients in very many groups', `To: ${'a:'.repeat(130_000)}\r\n\r\nHello`],
  ['very many parts', manyParts(110_000).toString()],
])('a message of %s is read in a thread for quick ones, for what it reports and for its text', async (_what, text) => {
  const log = vi.spyOn(world.log, 'warn')
  onTestFinished(() => log.mockRestore())
  const raw = Buffer.from(text)
  expect(await parseReports(world, { raw, sender })).toEqual([])
  expect(await parseText(world, { raw, sender })).not.toBeNull()
  expect(log).not.toHaveBeenCalled()
})

function nested(at: number): string {
  return `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\nContent-Type: message/rfc822\r\n\r\n`
}

test('one of our own that takes long to read takes no time of this thread, and is null', async () => {
  const turns = await turnsDuring(async () => expect(await parseMessage(world, { raw: tooManyParts, sender })).toBeNull())
  expect(turns).toBeGreaterThan(100)
})

test('a message that nobody waits for any more takes no turn', async () => {
  const ended = new AbortController()
  const first = parseMessage(world, { raw: longParts, sender })
  const dropped = Array.from({ length: 20 }, () =>
    expect(parseMessage(world, { raw: longParts, sender, ended: ended.signal })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
  )
  ended.abort()
  await Promise.all(dropped)
  const read = { attachments: expect.anything() }
  expect([await first, await parseMessage(world, { raw: dsn(), sender })]).toMatchObject([read, read])
})

test('a message that is quick to read waits for none that takes long, from however many senders', async () => {
  const ended = new AbortController()
  let answered = 0
  const slow = Array.from({ length: 6 }, (_, n) =>
    parseMessage(world, { raw: longParts, sender: `192.0.3.${n}`, ended: ended.signal }).then(() => answered++),
  )
  await parseMessage(world, { raw: dsn(), sender: '192.0.4.1' })
  expect(answered).toBeLessThan(2)
  ended.abort()
  await Promise.allSettled(slow)
})

test('reports, and the text of what comes in, wait for no other message', async () => {
  const ended = new AbortController()
  let answered = 0
  const slow = Array.from({ length: 6 }, (_, n) =>
    parseMessage(world, { raw: longParts, sender: `192.0.5.${n}`, ended: ended.signal }).then(() => answered++),
  )
  expect([await parseReports(world, { raw: dsn(), sender }), await parseText(world, { raw: dsn(), sender })]).toMatchObject([
    reported,
    expect.stringContaining('This is what happened'),
  ])
  expect(answered).toBeLessThan(2)
  ended.abort()
  await Promise.allSettled(slow)
})

describe('the text of a message', () => {
  test('is its beginning, without attachments', async () => {
    const raw = Buffer.from(`${multipart}--b\r\n\r\n${'Hello '.repeat(10_000)}\r\n--b\r\nContent-Type: image/png\r\n\r\nxyz\r\n--b--\r\n`)
    expect(await parseText(world, { raw, sender })).toBe('Hello '.repeat(10_000).slice(0, 32_000))
  })

  test('is that of the message itself: one that it has with it is a file', async () => {
    const forwarded = 'Content-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\nInner\r\n'
    const raw = Buffer.from(`From: a@b.test\r\n${multipart}--b\r\n\r\nOuter\r\n--b\r\n${forwarded}--b--\r\n`)
    expect((await parseText(world, { raw, sender })).trim()).toBe('Outer')
  })

  test('is read with a header that is folded, encoded or in capitals, or has none', async () => {
    const head = 'Subject: a\r\n b\r\nCONTENT-TYPE: text/plain;\r\n charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n'
    expect((await parseText(world, { raw: Buffer.from(`${head}\r\nGr=FC=DFe`), sender })).trim()).toBe('Grüße')
    expect((await parseText(world, { raw: Buffer.from('\r\nHello'), sender })).trim()).toBe('Hello')
    expect(await parseText(world, { raw: Buffer.from('Subject: no end'), sender })).toBe('')
  })
})
