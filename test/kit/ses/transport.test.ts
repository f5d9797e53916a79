import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../../src/kit/config.ts'
import { createSesTransport, type SesMessage, type SesTransport } from '../../../src/kit/ses/transport.ts'
import type { Gate } from '../../../src/kit/smtp/message.ts'
import { type SesTrouble, sesTwin } from '../../help/ses.ts'
import { until } from '../../help/until.ts'

const ses = await sesTwin()
const closing = new AbortController()
const configured = (env: Record<string, string> = {}) => readConfig({ NODE_ENV: 'test', ...ses.env, ...env })
const transport = createSesTransport(configured(), { closing: closing.signal })
const pieces = [Buffer.from('Subject: Hi\r\n\r\n'), Buffer.from('Hello\r\n.\r\n')]
const message = { from: 'hello@demo.test', to: ['ada@example.com', 'grace@example.com'], pieces, tags: { 'postwire-email': 'eml_x' } }

interface Sending {
  gate?: Gate
  owner?: string
  as?: Partial<SesMessage>
}

async function send(by: SesTransport, { gate, owner = 'a', as }: Sending = {}) {
  const connection = await by.connect('bulk', { owner })
  return connection.send({ ...message, ...as }, gate).finally(() => connection.release())
}

beforeEach(() => {
  ses.trouble = null
  ses.maxPerSecond = Number.POSITIVE_INFINITY
  ses.sendingEnabled = true
  ses.accepted.length = 0
  ses.calls = 0
})

describe('Amazon SES', () => {
  test('accepts a message as it is, for its recipients, with tags and configuration set', async () => {
    expect(await send(transport)).toEqual({ kind: 'accepted', response: 'Accepted by Amazon SES as ses-1' })
    expect(ses.accepted).toEqual([
      {
        from: 'hello@demo.test',
        to: message.to,
        raw: 'Subject: Hi\r\n\r\nHello\r\n.\r\n',
        tags: { 'postwire-email': 'eml_x' },
        configurationSet: 'postwire',
      },
    ])
  })

  test.each<[SesTrouble, object]>([
    [
      { status: 400, code: 'MessageRejected', message: 'Email address is not verified.' },
      { kind: 'refused', response: 'Amazon SES refused it: MessageRejected: Email address is not verified.', recipient: false },
    ],
    [
      { status: 400, code: 'MailFromDomainNotVerifiedException' },
      { kind: 'refused', recipient: false },
    ],
    [
      { status: 400, code: 'BadRequestException', message: 'Message length is more than 41943040 bytes' },
      { kind: 'refused', recipient: false },
    ],
    [
      { status: 429, code: 'TooManyRequestsException' },
      { kind: 'deferred', response: 'Amazon SES: TooManyRequestsException: No.', throttled: true },
    ],
    [
      { status: 400, code: 'LimitExceededException', message: 'Daily message quota exceeded.' },
      { kind: 'deferred', throttled: true },
    ],
    [
      { status: 400, code: 'ThrottlingException' },
      { kind: 'deferred', throttled: true },
    ],
    [{ status: 500, code: 'InternalServiceErrorException' }, { kind: 'deferred' }],
    [{ status: 503, code: 'ServiceUnavailable' }, { kind: 'deferred' }],
    [
      { status: 400, code: 'AccountSuspendedException' },
      { kind: 'deferred', problem: { advice: expect.stringMatching(/dashboard/) } },
    ],
    [
      { status: 400, code: 'SendingPausedException' },
      { kind: 'deferred', problem: { advice: expect.stringMatching(/dashboard/) } },
    ],
    [
      { status: 404, code: 'NotFoundException' },
      { kind: 'deferred', problem: { advice: expect.stringMatching(/SES_CONFIGURATION_SET/) } },
    ],
    [
      { status: 403, code: 'InvalidSignatureException' },
      { kind: 'deferred', problem: { advice: expect.stringMatching(/SES_ACCESS_KEY_ID/) } },
    ],
    [
      { status: 403, code: 'SomethingNew' },
      { kind: 'deferred', problem: { advice: expect.stringMatching(/SES_ACCESS_KEY_ID/) } },
    ],
    ['loses answers', { kind: 'deferred', uncertain: true }],
    ['cuts answers', { kind: 'accepted', response: 'Accepted by Amazon SES' }],
    [{ status: 307, code: 'Redirect' }, { kind: 'deferred' }],
  ])('answers %j, which means %j', async (trouble, handover) => {
    ses.trouble = trouble
    // Its own, because what is throttled slows a transport down.
    const answer = await send(createSesTransport(configured(), { closing: closing.signal }))
    expect(answer).toMatchObject(handover)
    expect(answer).toEqual(expect.objectContaining({ kind: answer?.kind, response: expect.any(String) }))
    if (!('problem' in handover)) expect(answer).not.toHaveProperty('problem')
    for (const name of ['uncertain', 'throttled']) if (!(name in handover)) expect(answer).not.toHaveProperty(name)
  })

  test('that cannot be reached is a problem, and the email has certainly not left', async () => {
    const nowhere = createSesTransport(configured({ SES_ENDPOINT: 'http://127.0.0.1:9' }), { closing: closing.signal })
    const answer = await send(nowhere)
    expect(answer).toMatchObject({ kind: 'deferred', problem: { advice: expect.stringMatching(/firewall/) } })
    expect(answer).not.toHaveProperty('uncertain')
    expect(await nowhere.check()).toMatchObject({ advice: expect.stringMatching(/firewall/) })
  })

  test.each([
    ['asked whether it may leave', { opens: async () => false, holds: () => true }],
    ['about to leave', { opens: async () => true, holds: () => false }],
  ])('gets nothing that is withheld when %s', async (_when, gate) => {
    expect(await send(transport, { gate })).toBeNull()
    expect(ses.accepted).toEqual([])
  })

  test('gets nothing once this process is ending', async () => {
    const ending = new AbortController()
    const last = createSesTransport(configured(), { closing: ending.signal })
    ending.abort()
    expect(await send(last)).toBeNull()
    expect(ses.accepted).toEqual([])
  })

  test('gets a message of many pieces octet by octet, and is asked for it by its checksum', async () => {
    const warned = vi.spyOn(console, 'warn')
    const pieces = [1, 2, 3, 47_999, 0, 48_001, 100_000, 1_500_000].map((length, at) => Buffer.alloc(length, `${at}é\r\n`))
    expect(await send(transport, { as: { pieces } })).toMatchObject({ kind: 'accepted' })
    expect(warned).not.toHaveBeenCalled()
    expect(ses.accepted[0]?.raw === Buffer.concat(pieces).toString('latin1')).toBe(true)
  })

  test('is sent nothing on what was read more than 0.2 s before, which is asked last', async () => {
    const asked: (number | undefined)[] = []
    const opens = async (maxAgeMs?: number): Promise<boolean> => {
      asked.push(maxAgeMs)
      return true
    }
    expect(await send(transport, { gate: { opens, holds: () => true } })).toMatchObject({ kind: 'accepted' })
    expect(asked).toEqual([200])
  })

  test('that stops in the middle of an answer keeps no place: a call ends', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort(new Error('It took too long')))
    onTestFinished(() => void vi.restoreAllMocks())
    expect(await send(transport)).toMatchObject({ kind: 'deferred', response: expect.stringContaining('before it had the message') })
    expect(ses.accepted).toEqual([])
    const slow = new AbortController()
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => slow.signal)
    ses.trouble = 'hangs in answers'
    const sent = send(transport)
    await until(async () => ses.accepted.length > 0)
    await pause(100)
    slow.abort()
    expect(await sent).toEqual({ kind: 'accepted', response: 'Accepted by Amazon SES' })
  })

  test('that throttles is asked only as often as it takes, for what is sent at once as well', async () => {
    const limited = vi.fn()
    const throttled = createSesTransport(configured(), { closing: closing.signal, limited })
    ses.maxPerSecond = 20
    const untilAccepted = async (): Promise<void> => {
      while ((await send(throttled))?.kind !== 'accepted');
    }
    await Promise.all(Array.from({ length: 60 }, untilAccepted))
    expect(ses.accepted).toHaveLength(60)
    // Those that were under way when the first one was throttled, and a few more.
    expect(ses.calls).toBeLessThan(60 + 30 + 10)
    expect(limited).toHaveBeenCalledOnce()
  })

  test('that does not answer an account has places for others', async () => {
    ses.trouble = 'silent'
    for (let n = 0; n < 100; n++) void send(transport, { owner: 'many' })
    await until(async () => transport.maxUnderWay({ priority: 'bulk', owner: 'many' }) < 100)
    ses.trouble = null
    expect(await send(transport, { owner: 'other' })).toMatchObject({ kind: 'accepted' })
    expect(ses.calls).toBeLessThan(60)
  })

  test('is checked without sending: key, and whether the account may send', async () => {
    expect(await transport.check()).toBeNull()
    ses.sendingEnabled = false
    expect(await transport.check()).toMatchObject({ reason: 'Sending is paused for this account' })
    ses.trouble = { status: 403, code: 'AccessDeniedException' }
    expect(await transport.check()).toBeNull()
    ses.trouble = { status: 403, code: 'UnrecognizedClientException' }
    expect(await transport.check()).toMatchObject({ advice: expect.stringMatching(/SES_ACCESS_KEY_ID/) })
    expect(ses.accepted).toEqual([])
  })
})
