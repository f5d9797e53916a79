import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { jsonLimits, whyTooComplex } from '../../src/kit/json-limits.ts'
import { bearer, socketUrl } from '../help/live.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const { call, url, world } = await testServer()
const why = (text: string) => whyTooComplex(Buffer.from(text))
const nested = (inside: string, levels: number) => '['.repeat(levels) + inside + ']'.repeat(levels)
// Strings, numbers, literals and punctuation marks, found in another way.
const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs

describe('whyTooComplex', () => {
  test('counts every token, whatever its text contains', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium', stringUnit: 'binary' }), fc.nat(4), (json, more) => {
        const spaced = json.replaceAll(',', () => ' ,\n')
        const tokens = [...spaced.matchAll(token)].length
        const rest = jsonLimits.tokens - tokens - 3 + more
        // A list of that text and of numbers: two brackets, and a comma before each number.
        const numbers = ',1'.repeat(Math.floor(rest / 2))
        const whole = `[${spaced}${numbers}${rest % 2 ? '' : ' 1'}]`
        const all = [...whole.matchAll(token)].length
        expect(why(whole) === undefined).toBe(all <= jsonLimits.tokens)
      }),
      { numRuns: 20 },
    )
  })

  test('bounds the depth by what stands outside of strings', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('[', ']', '{', '"', '\\', 'é', ' ', 'x'.repeat(63), 'x'.repeat(64)) }), (text) => {
        expect(why(nested(JSON.stringify(text), jsonLimits.depth))).toBeUndefined()
        expect(why(nested(JSON.stringify(text), jsonLimits.depth + 1))).toMatch(/deeper than 100 levels/)
        expect(why(`{"a":${nested(JSON.stringify([text]), jsonLimits.depth - 2)}}`)).toBeUndefined()
      }),
    )
  })

  test('finds the ends of strings as reading them one byte after the other does', () => {
    // A bracket stands behind every string as it is read: the deepest text that is taken says how many there are.
    const part = fc.constantFrom('"', '\\', '\\\\', '\\"', '[', 'x'.repeat(62), 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(65), 'é')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const depth = (read: string): number => read.split('[').length - 1
        const outside = text.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, '')
        const levels = depth(outside)
        expect(why('['.repeat(jsonLimits.depth - levels) + text)).toBeUndefined()
        expect(why('['.repeat(jsonLimits.depth - levels + 1) + text)).toMatch(/deeper/)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    [
      'white space',
      (more: number) => `[1${' '.repeat(jsonLimits.space - 2)}${'\n'.repeat(more)}, \t1]`,
      'has more than 8000000 bytes of white space',
    ],
    ['a number', (more: number) => `[${'1'.repeat(jsonLimits.word + more)},1]`, 'has a number or literal of more than 1000 characters'],
    ['the last number', (more: number) => '1'.repeat(jsonLimits.word + more), 'has a number or literal of more than 1000 characters'],
  ])('bounds %s', (_what, text, message) => {
    expect([why(text(0)), why(text(1))]).toEqual([undefined, message])
  })

  test('white space and numbers inside of strings do not count', () => {
    expect(why(`["${' '.repeat(jsonLimits.space + 1)}", "${'1'.repeat(jsonLimits.word + 1)}"]`)).toBeUndefined()
  })

  test.each(['', '"', '"\\', '{"a', 'nul', ']', '\u0000', '-'])('leaves %j to the parser', (text) => {
    expect(why(text)).toBeUndefined()
  })
})

describe('refused before it is parsed', () => {
  const keys = `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`
  const floods: [string, string, string][] = [
    ['2 million brackets', nested('', 1_000_000), 'is nested deeper than 100 levels'],
    ['200,000 keys', keys, 'has more than 200000 strings'],
  ]

  test.each(floods)('POST /v1/send with %s', async (_what, flood, message) => {
    const { secret, projectId } = await freshProject(world)
    const { status, body } = await call('POST /v1/send', `{"to":"ada@example.com","data":${flood}}`, { key: secret })
    expect([status, body.error.code, body.error.message]).toEqual([400, 'BAD_REQUEST', expect.stringContaining(message)])
    expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(0)
  })

  test.each(floods)('variables with %s', async (_what, flood, message) => {
    const { secret } = await freshProject(world)
    const sent = `{"query":"{ __typename }","variables":{"unused":${flood}}}`
    const { status, body } = await call('POST /graphql', sent, { key: secret })
    expect([status, body.errors[0].extensions.code, body.errors[0].message]).toEqual([400, 'BAD_REQUEST', expect.stringContaining(message)])
  })

  test('a message of a websocket', async () => {
    const { secret } = await freshProject(world)
    const socket = new WebSocket(socketUrl(url), 'graphql-transport-ws')
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(JSON.stringify({ type: 'connection_init', payload: bearer(secret) }))
    await new Promise((resolve) => socket.once('message', resolve))
    const closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, String(reason)])))
    socket.send(`{"type":"ping","payload":{"deep":${nested('', 200)}}}`)
    expect(await closed).toEqual([4400, expect.stringContaining('deeper than 100 levels')])
  })

  test('a form with 10 MB of empty parts', async () => {
    const { secret } = await freshProject(world)
    const flood = '--x\r\n\r\n'.repeat(1_400_000)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status, body } = await call('POST /uploads/image', flood, { key: secret, headers })
    expect([status, body.error.message]).toEqual([400, 'The multipart form could not be read.'])
  })
})
