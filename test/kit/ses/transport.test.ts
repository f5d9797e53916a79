import { beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../../src/kit/config.ts'
import { createSesTransport } from '../../../src/kit/ses/transport.ts'
import { type SesTrouble, sesTwin } from '../../help/ses.ts'

const ses = await sesTwin()
const closing = new AbortController()
const configured = (env: Record<string, string> = {}) => readConfig({ NODE_ENV: 'test', ...ses.env, ...env })
const transport = createSesTransport(configured(), closing.signal)
const pieces = [Buffer.from('Subject: Hi\r\n\r\n'), Buffer.from('Hello\r\n.\r\n')]
const message = { from: 'hello@demo.test', to: ['ada@example.com', 'grace@example.com'], pieces, tags: { 'postwire-email': 'eml_x' } }

beforeEach(() => {
  ses.trouble = null
  ses.sendingEnabled = true
  ses.accepted.length = 0
})

describe('Amazon SES', () => {
  test('accepts a message as it is, for its recipients, with tags and configuration set', async () => {
    expect(await transport.send(message)).toEqual({ kind: 'accepted', response: 'Accepted by Amazon SES as ses-1' })
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
      { kind: 'deferred', response: 'Amazon SES: TooManyRequestsException: No.' },
    ],
    [{ status: 400, code: 'LimitExceededException' }, { kind: 'deferred' }],
    [{ status: 400, code: 'ThrottlingException' }, { kind: 'deferred' }],
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
  ])('answers %j, which means %j', async (trouble, handover) => {
    ses.trouble = trouble
    const answer = await transport.send(message)
    expect(answer).toMatchObject(handover)
    expect(answer).toEqual(expect.objectContaining({ kind: answer?.kind, response: expect.any(String) }))
    if (!('problem' in handover)) expect(answer).not.toHaveProperty('problem')
    if (!('uncertain' in handover)) expect(answer).not.toHaveProperty('uncertain')
  })

  test('that cannot be reached is a problem, and the email has certainly not left', async () => {
    const nowhere = createSesTransport(configured({ SES_ENDPOINT: 'http://127.0.0.1:9' }), closing.signal)
    const answer = await nowhere.send(message)
    expect(answer).toMatchObject({ kind: 'deferred', problem: { advice: expect.stringMatching(/firewall/) } })
    expect(answer).not.toHaveProperty('uncertain')
    expect(await nowhere.check()).toMatchObject({ advice: expect.stringMatching(/firewall/) })
  })

  test.each([
    ['asked whether it may leave', { opens: async () => false, holds: () => true }],
    ['about to leave', { opens: async () => true, holds: () => false }],
  ])('gets nothing that is withheld when %s', async (_when, gate) => {
    expect(await transport.send(message, gate)).toBeNull()
    expect(ses.accepted).toEqual([])
  })

  test('gets nothing once this process is ending', async () => {
    const ending = new AbortController()
    const last = createSesTransport(configured(), ending.signal)
    ending.abort()
    expect(await last.send(message)).toBeNull()
    expect(ses.accepted).toEqual([])
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
