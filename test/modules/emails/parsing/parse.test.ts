import { describe, expect, test } from 'vitest'
import { isReadable } from '../../../../src/modules/emails/parsing/limits.ts'
import { parseReports, parseText } from '../../../../src/modules/emails/parsing/parse.ts'
import { dsn } from '../../../help/reports.ts'
import { turnsDuring } from '../../../help/turns.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const sender = '192.0.2.1'
const size = 300_000
const multipart = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
// A parser takes most of a second for the names of groups.
const manyGroups = Buffer.from(`To: ${'a:'.repeat(size)}\r\n\r\n`)
const manyParts = Buffer.from(multipart + '--b\r\n\r\n\r\n'.repeat(110_000))
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

  test('takes no time of this thread', async () => {
    const turns = await turnsDuring(async () => expect(await parseReports(world, { raw: manyGroups, sender })).toEqual([]))
    expect(turns).toBeGreaterThan(100)
    expect(await parseReports(world, { raw: dsn(), sender })).toMatchObject(reported)
  })

  test('is nothing when it has more than 20,000 lines, which no thread is asked to read', async () => {
    const withLines = (lines: number): Buffer => {
      const report = dsn()
      return Buffer.concat([report, Buffer.alloc(lines - report.toString().split('\n').length + 1, '\n')])
    }
    expect(await parseReports(world, { raw: withLines(20_000), sender })).toMatchObject(reported)
    // Nobody waits for an answer: what would ask a thread fails.
    const ended = AbortSignal.abort()
    await expect(parseReports(world, { raw: withLines(20_000), sender, ended })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await parseReports(world, { raw: withLines(20_001), sender, ended })).toEqual([])
  })

  test('is read up to 20,000 equals signs, each of which may end a unit of base64', async () => {
    const withSigns = (count: number) => Buffer.from(dsn().toString().replace('This is what happened', '='.repeat(count)))
    const signs = dsn().toString().split('=').length - 1
    expect(await parseReports(world, { raw: withSigns(20_000 - signs), sender })).toMatchObject(reported)
    expect(await parseReports(world, { raw: withSigns(20_000), sender })).toEqual([])
    expect(await parseReports(world, { raw: dsn({}, `\r\n${'QQ=='.repeat(50_000)}`), sender })).toMatchObject(reported)
  })

  test('is read of its first 256 KB: whatever message it returns, and nothing that comes later', async () => {
    const line = `${'x'.repeat(98)}\r\n`
    expect(await parseReports(world, { raw: dsn({}, `\r\n${line.repeat(9_000)}`), sender })).toMatchObject(reported)
    const late = Buffer.from(dsn().toString().replace('This is what happened', line.repeat(2_700)))
    expect(await parseReports(world, { raw: late, sender })).toEqual([])
  })
})

test('a message of more than 400,000 lines, of which a parser would fill its memory, is not read', async () => {
  expect([400_000, 400_001].map((lines) => isReadable(Buffer.alloc(lines, '\n')))).toEqual([true, false])
  const raw = Buffer.concat([dsn(), Buffer.alloc(400_000, '\r\n'), Buffer.alloc(400_000, '\r\n')])
  expect([await parseReports(world, { raw, sender }), await parseText(world, { raw, sender })]).toEqual([[], ''])
})

test('a message that nobody waits for any more takes no turn', async () => {
  const ended = new AbortController()
  const first = parseText(world, { raw: manyParts, sender })
  const dropped = Array.from({ length: 20 }, () =>
    expect(parseText(world, { raw: manyParts, sender, ended: ended.signal })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' }),
  )
  const next = parseReports(world, { raw: dsn(), sender })
  ended.abort()
  await Promise.all(dropped)
  expect([(await first).trim(), await next]).toMatchObject(['', reported])
})

test('a message that is quick to read waits for none that takes long, from however many senders', async () => {
  const ended = new AbortController()
  let answered = 0
  const slow = Array.from({ length: 6 }, (_, n) =>
    parseText(world, { raw: manyParts, sender: `192.0.3.${n}`, ended: ended.signal }).then(() => answered++),
  )
  await parseReports(world, { raw: dsn(), sender: '192.0.4.1' })
  expect(answered).toBeLessThan(2)
  ended.abort()
  await Promise.allSettled(slow)
})

describe('the text of a message', () => {
  test('is its beginning, without attachments', async () => {
    const raw = Buffer.from(`${multipart}--b\r\n\r\n${'Hello '.repeat(10_000)}\r\n--b\r\nContent-Type: image/png\r\n\r\nxyz\r\n--b--\r\n`)
    expect(await parseText(world, { raw, sender })).toBe('Hello '.repeat(10_000).slice(0, 32_000))
  })

  test('is empty for one that takes longer than two seconds, which holds up nobody', async () => {
    const turns = await turnsDuring(async () => expect((await parseText(world, { raw: manyParts, sender })).trim()).toBe(''))
    expect(turns).toBeGreaterThan(100)
  })
})
