import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { type Outbound, OutboundError } from '../../../../src/kit/outbound.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { removeOldMessages } from '../../../../src/modules/ses/sns/once.ts'
import { certificate } from '../../../help/certificates.ts'
import { holder } from '../../../help/holder.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { certificateUrl, sesMail, signedMessage, snsTwin, topicArn } from '../../../help/sns.ts'
import { until } from '../../../help/until.ts'

const sns = snsTwin()
const fetched: string[] = []
let answerOf: (url: string) => Promise<Buffer> = async () => Buffer.from('<ok/>')
const outbound: Outbound = {
  get(url) {
    fetched.push(url)
    return answerOf(url)
  },
  send: () => Promise.reject(new Error('Nothing is sent')),
}
const { url, world } = await testServer({ env: sns.env, outbound })
const { SNS_TOPIC_ARNS = '' } = sns.env
const fetching = await testServer({ env: { SNS_TOPIC_ARNS, TRUST_PROXY: '1' }, outbound })
const off = await testServer()

const post = (body: string, type = 'text/plain; charset=UTF-8', at = url) =>
  callAt(at, 'POST /webhooks/sns', body, { headers: { 'content-type': type } })

async function bouncing() {
  const project = await sendingProject(world)
  const mail = await accept(project.ctx, { subscribed: true })
  const notification = {
    eventType: 'Bounce',
    mail: sesMail(world.clock, { emailId: mail.id }),
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'ada@example.com', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
      timestamp: world.clock.now().toISOString(),
    },
  }
  const Message = JSON.stringify(notification)
  const state = async () => ({
    email: await getEmail(project.ctx, mail),
    lines: await logOf(project.ctx),
    list: await world.db.prisma.suppression.count({ where: { projectId: project.projectId } }),
    contact: await world.db.prisma.contact.findFirst({ where: { projectId: project.projectId } }),
    messages: await world.db.prisma.snsMessage.count(),
  })
  return { ...project, ...mail, Message, state }
}

describe('POST /webhooks/sns', () => {
  test.each([
    ['brackets', '['.repeat(1_000_000)],
    ['fields', `{${Array.from({ length: 70_000 }, (_, at) => `"${at}":1`)}}`],
  ])('403 for very many %s, which are not parsed', async (_what, body) => {
    const parse = vi.spyOn(JSON, 'parse')
    const { status } = await post(body)
    const parsed = parse.mock.calls.filter(([text]) => text.length === body.length)
    parse.mockRestore()
    expect([status, parsed]).toEqual([403, []])
  })

  test.each(['1', '2'] as const)('200 handles a message signed with version %s, of any content type', async (SignatureVersion) => {
    for (const type of ['text/plain; charset=UTF-8', 'application/json', 'application/octet-stream']) {
      const { Message, state } = await bouncing()
      const { status, body } = await post(sns.body(world.clock, { Message, SignatureVersion }), type)
      expect([status, body]).toEqual([200, { success: true }])
      expect((await state()).email).toMatchObject({ status: 'BOUNCED', reason: '550 5.1.1 user unknown' })
    }
  })

  test('200 for a repeated message changes nothing, also when both arrive at the same time', async () => {
    const { Message, state, ctx } = await bouncing()
    const body = sns.body(world.clock, { Message })
    const answers = await Promise.all([post(body), post(body), post(body)])
    for (const { status } of answers) expect([200, 503]).toContain(status)
    expect(answers.map(({ status }) => status)).toContain(200)
    const once = await state()
    expect((await logOf(ctx)).filter(({ name }) => name === 'email.bounce')).toHaveLength(1)
    world.clock.turn(60_000)
    expect((await post(body)).status).toBe(200)
    expect(await state()).toEqual(once)
  })

  test('an open is counted once, however often its message comes', async () => {
    const { ctx, id } = await bouncing()
    const mail = sesMail(world.clock, { emailId: id })
    const open = { ipAddress: '192.0.2.1', timestamp: world.clock.now().toISOString(), userAgent: 'Mozilla/5.0' }
    const body = sns.notification(world.clock, { eventType: 'Open', mail, open })
    for (let time = 0; time < 3; time++) expect((await post(body)).status).toBe(200)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'OPENED', opens: 1 })
  })

  test('503 while it cannot be stored; the same message is handled when it comes again', async () => {
    const { Message, state, id } = await bouncing()
    const lock = await holder(world)
    await lock.run('lock table sns_messages in access exclusive mode', [])
    const body = sns.body(world.clock, { Message })
    const waiting = post(body)
    await lock.terminate(await lock.waitedFor())
    expect((await waiting).status).toBe(503)
    await lock.commit()
    expect((await state()).email).toMatchObject({ id, status: 'PENDING' })
    expect((await post(body)).status).toBe(200)
    expect((await state()).email).toMatchObject({ status: 'BOUNCED' })
  })

  test('a message whose handling was broken off is handled when it comes again 20 s later', async () => {
    const { Message, state } = await bouncing()
    const MessageId = randomUUID()
    await world.db.prisma.snsMessage.create({ data: { id: MessageId, receivedAt: world.clock.now() } })
    const body = sns.body(world.clock, { Message, MessageId })
    const busy = await post(body)
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '10'])
    world.clock.turn(20_000)
    expect((await post(body)).status).toBe(200)
    expect((await state()).email.status).toBe('BOUNCED')
  })

  test('404 where no topic is configured', async () => {
    const { status, body } = await post(sns.body(world.clock), undefined, off.url)
    expect([status, body.error.code]).toEqual([404, 'UNKNOWN_ROUTE'])
  })

  test('ids of messages are removed after a week', async () => {
    const old = new Date(world.clock.now().getTime() - 7 * 86_400_000 - 1)
    await world.db.prisma.snsMessage.createMany({ data: [{ id: 'old', receivedAt: old }] })
    await world.db.prisma.snsMessage.createMany({ data: [{ id: 'young', receivedAt: new Date(old.getTime() + 2) }] })
    await removeOldMessages(world)
    expect(await world.db.prisma.snsMessage.findMany({ where: { id: { in: ['old', 'young'] } }, select: { id: true } })).toEqual([
      { id: 'young' },
    ])
  })
})

describe('attacks are refused with 403 and change nothing', () => {
  const evil = certificate('sns.amazonaws.com')
  const expired = certificate('sns.amazonaws.com', { from: -20, to: -10 })
  const hour = 3_600_000
  const ago = (ms: number) => new Date(world.clock.now().getTime() - ms).toISOString()
  const own = sns.certificate
  type Fields = Parameters<typeof signedMessage>[2]
  const signed = (fields: Fields, by = own) => signedMessage(by, world.clock, fields)

  test.each<[string, (fields: Fields) => object | string]>([
    ['without a signature', (fields) => ({ ...signed(fields), Signature: undefined })],
    ['with an empty signature', (fields) => ({ ...signed(fields), Signature: '' })],
    ['with the signature of another message', (fields) => ({ ...signed(fields), Signature: signed({}).Signature })],
    ['signed by somebody else', (fields) => signed(fields, evil)],
    ['changed after it was signed', (fields) => ({ ...signed({ ...fields, Message: '{}' }), ...fields })],
    ['whose signature is of another version', (fields) => ({ ...signed({ ...fields, SignatureVersion: '1' }), SignatureVersion: '2' })],
    ['with a version that does not exist', (fields) => ({ ...signed(fields), SignatureVersion: '3' })],
    ['of another topic', (fields) => signed({ ...fields, TopicArn: `${topicArn}2` })],
    ['of a type that does not exist', (fields) => ({ ...signed(fields), Type: 'Order' })],
    ['older than an hour', (fields) => signed({ ...fields, Timestamp: ago(hour + 1) })],
    ['of the future', (fields) => signed({ ...fields, Timestamp: ago(-hour - 1) })],
    ['whose id is 1 MB', (fields) => signed({ ...fields, MessageId: 'x'.repeat(1_000_000) })],
    // What is signed is its fields, each in a line of its own: the line break makes it another message with the same signature.
    ['whose id has a line break', (fields) => signed({ ...fields, MessageId: `${randomUUID()}\nSubject\nx` })],
    ['of 1 MB of junk', () => 'x'.repeat(1_000_000)],
    ['of 1 MB of brackets', () => '['.repeat(1_000_000)],
    ['that is empty', () => ''],
    ['that is null', () => 'null'],
  ])('a message %s', async (_what, make) => {
    const { Message, state } = await bouncing()
    const before = await state()
    const message = make({ Message })
    const { status, body } = await post(typeof message === 'string' ? message : JSON.stringify(message))
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect(await state()).toEqual(before)
  })

  test.each([
    'https://evil.example/SimpleNotificationService-1.pem',
    'https://sns.us-east-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem',
    'https://evil.example/?sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.us-east-1.amazonaws.com@evil.example/SimpleNotificationService-1.pem',
    'https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-1.pem',
    'http://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem',
    'https://sns.us-east-1.amazonaws.com/other.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem?x=1',
    'https://s3.amazonaws.com/SimpleNotificationService-1.pem',
    'https://169.254.169.254/SimpleNotificationService-1.pem',
    'file:///SimpleNotificationService-1.pem',
    'x',
  ])('a certificate at %s is not fetched', async (SigningCertURL) => {
    answerOf = async () => Buffer.from(evil.pem)
    fetched.length = 0
    const { Message, state } = await bouncing()
    const before = await state()
    const body = JSON.stringify(signedMessage(evil, world.clock, { Message, SigningCertURL }))
    expect((await post(body)).status).toBe(403)
    expect((await post(body, undefined, fetching.url)).status).toBe(403)
    expect(fetched).toEqual([])
    expect(await state()).toEqual(before)
  })

  test.each<[string, string, () => Promise<Buffer>, number]>([
    ['has expired', '1', async () => Buffer.from(expired.pem), 403],
    ['is none', '2', async () => Buffer.from('<html>'), 403],
    ['does not exist', '3', async () => Promise.reject(new OutboundError('refused', 'The server answered 404.')), 403],
    ['cannot be fetched', '4', async () => Promise.reject(new OutboundError('unavailable', 'No answer.')), 503],
  ])('a certificate that %s', async (_what, number, answer, status) => {
    answerOf = answer
    const SigningCertURL = certificateUrl.replace('0123', `000${number}`)
    const body = JSON.stringify(signedMessage(expired, world.clock, { SigningCertURL }))
    expect((await post(body, undefined, fetching.url)).status).toBe(status)
    expect(await fetching.world.db.prisma.snsMessage.count({ where: { id: JSON.parse(body).MessageId } })).toBe(0)
  })
})

describe('certificates', () => {
  test('are fetched once from Amazon', async () => {
    answerOf = async () => Buffer.from(sns.certificate.pem)
    fetched.length = 0
    const bodies = Array.from({ length: 3 }, () => sns.notification(fetching.world.clock, { eventType: 'Send' }))
    for (const body of bodies) expect((await post(body, undefined, fetching.url)).status).toBe(200)
    expect(fetched).toEqual([certificateUrl])
  })
})

describe('a sender of many certificates', () => {
  const postFrom = (address: string, body: string) =>
    callAt(fetching.url, 'POST /webhooks/sns', body, { headers: { 'content-type': 'text/plain', 'x-forwarded-for': address } })

  test('has one fetched at a time, and those of others are fetched meanwhile, also one that it waits for', async () => {
    const held = Promise.withResolvers<Buffer>()
    const genuine = certificateUrl.replace('0123', 'aaaa')
    answerOf = (at) => (at === genuine ? Promise.resolve(Buffer.from(sns.certificate.pem)) : held.promise)
    fetched.length = 0
    const signed = (SigningCertURL: string) =>
      JSON.stringify(signedMessage(sns.certificate, fetching.world.clock, { SigningCertURL, Message: '{"eventType":"Send"}' }))
    const urls = Array.from({ length: 6 }, (_, at) => certificateUrl.replace('0123', `bbb${at}`))
    const many = [...urls, genuine].map((at) => postFrom('192.0.2.66', signed(at)))
    await until(async () => fetched.length > 0)
    expect((await postFrom('198.51.100.7', signed(genuine))).status).toBe(200)
    expect(fetched).toHaveLength(2)
    held.resolve(Buffer.from('<html>'))
    for (const { status } of await Promise.all(many)) expect([200, 403]).toContain(status)
  })
})

describe('the subscription of a topic', () => {
  const subscribeUrl = (host: string, topic = topicArn) =>
    `https://${host}/?Action=ConfirmSubscription&TopicArn=${encodeURIComponent(topic)}&Token=abc`
  const confirmation = (SubscribeURL: string) =>
    sns.body(world.clock, { Type: 'SubscriptionConfirmation', Token: 'abc', SubscribeURL, Message: 'You have chosen to subscribe.' })

  test('is confirmed by a request to Amazon', async () => {
    answerOf = async () => Buffer.from('<ConfirmSubscriptionResponse/>')
    fetched.length = 0
    const address = subscribeUrl('sns.us-east-1.amazonaws.com')
    expect((await post(confirmation(address))).status).toBe(200)
    expect(fetched).toEqual([address])
  })

  test.each([
    subscribeUrl('169.254.169.254'),
    subscribeUrl('localhost'),
    subscribeUrl('sns.us-east-1.amazonaws.com.evil.example'),
    subscribeUrl('sns.us-east-1.amazonaws.com:22'),
    subscribeUrl('sns.us-east-1.amazonaws.com').replace('https', 'http'),
    subscribeUrl('sns.us-east-1.amazonaws.com', 'arn:aws:sns:us-east-1:999999999999:other'),
    'https://sns.us-east-1.amazonaws.com/?Action=DeleteTopic&TopicArn=x',
  ])('403 at %s, and nothing is called', async (address) => {
    fetched.length = 0
    const body = confirmation(address)
    expect((await post(body)).status).toBe(403)
    expect(fetched).toEqual([])
    expect(await world.db.prisma.snsMessage.count({ where: { id: JSON.parse(body).MessageId, handledAt: { not: null } } })).toBe(0)
  })

  test('403 where the name leads to a private address, 503 where Amazon does not answer', async () => {
    const address = subscribeUrl('sns.us-east-1.amazonaws.com')
    answerOf = async () => Promise.reject(new OutboundError('forbidden', 'The address is not a public one.'))
    expect((await post(confirmation(address))).status).toBe(403)
    answerOf = async () => Promise.reject(new OutboundError('unavailable', 'No answer.'))
    expect((await post(confirmation(address))).status).toBe(503)
  })

  test('that ends is answered with 200', async () => {
    fetched.length = 0
    const body = sns.body(world.clock, {
      Type: 'UnsubscribeConfirmation',
      Token: 'abc',
      SubscribeURL: subscribeUrl('sns.us-east-1.amazonaws.com'),
    })
    expect((await post(body)).status).toBe(200)
    expect(fetched).toEqual([])
  })
})
