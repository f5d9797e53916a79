import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { statement } from '../../../../src/kit/postgres/db.ts'
import { deleteContact, getContact, updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { receiveEmail } from '../../../../src/modules/emails/inbound/receive.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { holdUnread } from '../../../../src/server/unread.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/index.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { fewestQueriesOf, queriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'

const { world, url, call } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const query = 'query ($id: ID!) { email(id: $id) { message { raw isExact } } }'

const captureLarge = statement<object>(
  'test_capture_large',
  `insert into captured_mails (id, project_id, email_id, "from", "to", subject, raw, created_at)
   values ($1, $2, $3, 'hello@demo.test', '{ada@example.com}', 'Large', convert_to(repeat('a', $4), 'UTF8'), $5)`,
)

interface Answered {
  email: { message: { raw: string; isExact: boolean } | null }
}

/** An email of a MARKETING template with a link, which waits to be sent. */
async function waiting(change: object = {}) {
  const project = await sendingProject(world)
  const { ctx, secret } = project
  const body = '<p>Dear {{ name }}, <a href="https://example.com/x?a=1&amp;b=2">look</a> or <a href="{{ unsubscribeUrl }}">leave</a></p>'
  const template = await createTemplate(ctx, { subject: 'For {{ name }}', body, from: 'hello@demo.test', type: 'MARKETING', ...change })
  await upsertContact(ctx, { email: 'ada@example.com', data: { name: 'Ada' }, subscribed: true })
  const attachments = [{ filename: 'terms.txt', content: Buffer.from('Terms').toString('base64'), contentType: 'text/plain' }]
  const draft = { template: template.id, from: undefined, subject: undefined, body: undefined, attachments }
  const mail = await accept(ctx, draft)
  const source = () => call(`GET /emails/${mail.id}/source`, undefined, { key: secret })
  const ask = () => asker(url, secret)<Answered>(query, { id: mail.id })
  return { ...project, ...mail, source, ask }
}

/** What the capture transport has stored of an email. */
async function capturedOf({ projectId, id }: { projectId: string; id: string }): Promise<string> {
  const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
  return Buffer.from(mail?.raw ?? '').toString()
}

/** A message without the encoding of its lines. */
const plain = (message: string): string =>
  message
    .replace(/=\r\n/g, '')
    .replace(/=3D/g, '=')
    .replace(/\r\n[ \t]+/g, '')

// Different for each: what is signed.
const neutral = (message: string): string =>
  plain(message)
    .replace(/\/(t\/o|t\/c|unsubscribe|manage)\/[\w.~-]+/g, '/$1/TOKEN')
    .replace(/\bbh=[\w+/=]+|;b=[\w+/=]+?(?=From:)/g, '')

const linksOf = (message: string) => {
  const text = plain(message)
  const find = (pattern: RegExp): string => new URL(pattern.exec(text)?.[0] ?? 'http://nowhere.test').pathname
  return {
    pixel: find(/http:[^"]*\/t\/o\/[\w.-]+/),
    click: find(/http:[^"]*\/t\/c\/[\w.~-]+/),
    unsubscribe: find(/http:[^">]*\/unsubscribe\/[\w.-]+/),
    manage: find(/http:[^"]*\/manage\/[\w.-]+/),
  }
}

describe('GET /emails/:id/source', () => {
  test('of an email that waits is the message that is sent later, but for signed links and the signature', async () => {
    const { projectId, id, source, ask } = await waiting()
    const { status, headers, body } = await source()
    expect([status, headers.get('content-type'), headers.get('x-postwire-source')]).toEqual([200, 'message/rfc822', 'rendered'])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.eml"`)
    const { data, errors } = await ask()
    expect([errors, data?.email.message?.isExact, neutral(data?.email.message?.raw ?? '')]).toEqual([[], false, neutral(body)])
    await turnAndSweep(world, 0)
    const sent = await capturedOf({ projectId, id })
    expect(sent).toContain(`Message-ID: <${id}@demo.test>`)
    expect(sent).toContain('DKIM-Signature: ')
    expect(neutral(body)).toBe(neutral(sent))
    expect(body.length).toBe(sent.length)
    expect(linksOf(body).pixel).not.toBe(linksOf(sent).pixel)
    const [domain] = await world.db.prisma.domain.findMany({ where: { projectId }, select: { dkimPublic: true } })
    const resolver = async () => [[`v=DKIM1; k=rsa; p=${domain?.dkimPublic}`]]
    const { results } = await dkimVerify(Buffer.from(body), { resolver })
    expect(results.map(({ status }) => status.result)).toEqual(['pass'])
  })

  test('of an email that the capture transport has stored are its octets, however the contact has changed', async () => {
    const { ctx, projectId, id, contactId, source, ask } = await waiting()
    await turnAndSweep(world, 0)
    await updateContact(ctx, { id: contactId, data: { name: 'Countess' } })
    const { status, headers, body } = await source()
    expect([status, headers.get('x-postwire-source')]).toEqual([200, 'captured'])
    expect(body).toBe(await capturedOf({ projectId, id }))
    expect((await ask()).data).toEqual({ email: { message: { raw: body, isExact: true } } })
  })

  test('of another email is rendered again, with the data that the contact has now', async () => {
    const { ctx, projectId, id, contactId, source } = await waiting()
    await turnAndSweep(world, 0)
    await world.db.prisma.capturedMail.deleteMany({ where: { projectId, emailId: id } })
    await updateContact(ctx, { id: contactId, data: { name: 'Countess' } })
    expect((await source()).body).toContain('Subject: For Countess')
    expect(await getEmail(ctx, { id })).toMatchObject({ subject: 'For Ada', opens: 0, attempts: 1 })
  })

  test('acts for nobody: its links lead to their targets and nothing is counted or changed', async () => {
    const { ctx, id, contactId, source } = await waiting()
    const links = linksOf((await source()).body)
    await turnAndSweep(world, 5_000)
    const before = [await getEmail(ctx, { id }), await getContact(ctx, { id: contactId }), (await logOf(ctx)).length]
    expect((await call(`GET ${links.pixel}`)).status).toBe(200)
    const clicked = await call(`GET ${links.click}`)
    expect([clicked.status, clicked.headers.get('location')]).toEqual([302, 'https://example.com/x?a=1&b=2'])
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await call(`GET ${links.unsubscribe}`)).status).toBe(404)
    expect((await call(`POST ${links.unsubscribe}`, 'List-Unsubscribe=One-Click', form)).status).toBe(404)
    expect(await world.db.prisma.optOut.count({ where: { projectId: ctx.projectId } })).toBe(0)
    expect((await call(`POST ${links.manage}`, 'subscribed=false', form)).status).toBe(404)
    expect((await call(`GET ${links.manage}`)).status).toBe(404)
    expect([await getEmail(ctx, { id }), await getContact(ctx, { id: contactId }), (await logOf(ctx)).length]).toEqual(before)
  })

  test('409 with the reason when it came in, when its content was removed, and when it cannot be rendered', async () => {
    const { ctx, projectId, secret, id, source, ask } = await waiting({ subject: '{{ name }}{{ name }}' })
    const refused = async () => {
      const { status, body } = await source()
      const { errors } = await ask()
      expect([status, body.error.code, errors[0]?.extensions.code, errors[0]?.message]).toEqual([
        409,
        'CONFLICT',
        'CONFLICT',
        body.error.message,
      ])
      return body.error.message
    }
    await upsertContact(ctx, { email: 'ada@example.com', data: { name: 'x'.repeat(998) } })
    expect(await refused()).toBe('The subject is longer than 998 characters.')
    await world.db.prisma.email.updateMany({ where: { projectId, id }, data: { contentId: null } })
    const gone = await source()
    expect([gone.status, gone.body.error.message]).toEqual([409, expect.stringMatching(/removed because of its age/)])
    expect(await ask()).toMatchObject({ errors: [], data: { email: { message: null } } })
    const providerId = 'ses-1'
    const inbound = {
      providerId,
      at: world.clock.now(),
      source: 'bo@example.com',
      recipients: ['help@demo.test'],
      fromHeader: 'bo@example.com',
    }
    await receiveEmail(world, { ...inbound, toHeader: '', subject: 'A question', content: null, verdicts: {}, processingTimeMillis: null })
    const [received] = await world.db.prisma.email.findMany({ where: { projectId, source: 'INBOUND' } })
    const answer = await call(`GET /emails/${received?.id}/source`, undefined, { key: secret })
    expect([answer.status, answer.body.error.message]).toEqual([409, 'This email came in: its message is not stored.'])
    const one = await asker(url, secret)<Answered>(query, { id: received?.id })
    expect([one.errors, one.data]).toEqual([[], { email: { message: null } }])
  })

  test('404 for an email of another project, of a deleted contact, and that does not exist; 401 for a public key', async () => {
    const { ctx, id, contactId, source, ask, public: publicKey } = await waiting()
    const other = await sendingProject(world)
    expect((await call(`GET /emails/${id}/source`, undefined, { key: other.secret })).status).toBe(404)
    expect((await call(`GET /emails/${id}/source`, undefined, { key: publicKey })).status).toBe(401)
    await turnAndSweep(world, 0)
    await deleteContact(ctx, { id: contactId })
    expect((await source()).body.error.code).toBe('RESOURCE_NOT_FOUND')
    expect((await ask()).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
  })

  test('of more than 32 MB is a file, and too large for GraphQL', async () => {
    const { projectId, id, source, ask } = await waiting()
    const bytes = 33 * 1024 * 1024
    const now = world.clock.now()
    await world.db.run(captureLarge, [newId('capturedMail', now), projectId, id, bytes, now])
    const { status, body } = await source()
    expect([status, body.length]).toEqual([200, bytes])
    const { reply, queries } = await queriesOf(ask, /substring\(raw|select m\.raw/)
    expect([reply.errors[0]?.extensions.code, queries]).toEqual(['PAYLOAD_TOO_LARGE', 0])
  })

  test('of several megabytes is read in pieces, and whole', async () => {
    const { projectId, id, source, ask } = await waiting()
    const now = world.clock.now()
    await world.db.run(captureLarge, [newId('capturedMail', now), projectId, id, 2_500_000, now])
    const { reply, queries } = await queriesOf(source, /substring\(raw/)
    expect([reply.body === 'a'.repeat(2_500_000), queries]).toEqual([true, 3])
    expect((await ask()).data?.email.message?.raw).toHaveLength(2_500_000)
  })
})

test('503 before anything is rendered while earlier answers have 32 MB unread', async () => {
  const { ctx, source, ask } = await waiting({ body: '{% for i in (1..20000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}' })
  const held = holdUnread(ctx)
  held.add(33 * 1024 * 1024)
  expect((await source()).body.error.code).toBe('SERVICE_UNAVAILABLE')
  expect((await ask()).errors[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE')
  held.release()
  expect((await source()).body.error.code).toBe('CONFLICT')
})

test('a template that takes its whole computing time costs its project a turn, and no other', async () => {
  const slow = await waiting({ body: '{% for i in (1..20000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}' })
  const other = await waiting()
  const order: string[] = []
  const many = Array.from({ length: 8 }, () => slow.source().then(({ status }) => order.push(`slow ${status}`)))
  const one = other.source().then(({ status }) => order.push(`other ${status}`))
  await Promise.all([...many, one])
  expect(order.indexOf('other 200')).toBeLessThan(5)
  expect(order.filter((answer) => answer === 'slow 409')).toHaveLength(8)
})

test('a message that is quick to render waits for none that takes long, of however many projects', async () => {
  const slow = await Promise.all(Array.from({ length: 5 }, () => waiting({ body: '<div>'.repeat(40_000) })))
  const other = await waiting()
  // Starts its thread.
  expect((await other.source()).status).toBe(200)
  const order: string[] = []
  const many = slow.map(({ source }) => source().then(({ status }) => order.push(`slow ${status}`)))
  const one = other.source().then(({ status }) => order.push(`quick ${status}`))
  await Promise.all([...many, one])
  expect(order.indexOf('quick 200')).toBeLessThan(2)
})

test('several messages in one operation cost 100 each, and all operations together are bounded', async () => {
  const { secret, id } = await waiting()
  const twice = `{ one: email(id: "${id}") { message { isExact } } two: email(id: "${id}") { message { isExact } } }`
  const { extensions, errors } = await asker(url, secret)(twice)
  expect(errors).toEqual([])
  expect(extensions.cost?.requested).toBeGreaterThanOrEqual(200)
})

const Parts = graphql(`
  query EmailParts($first: Int) {
    emails(first: $first) {
      nodes {
        from fromName replyTo type tags cc { email name } bcc { email name }
        message { html text headers { name value } attachments { filename contentType size } }
      }
    }
  }
`)

test('an email says who sent it to whom, and its message has bodies, header and files', async () => {
  const { ctx, secret } = await sendingProject(world)
  await accept(ctx, {
    from: { email: 'hello@demo.test', name: 'Acme' },
    reply: 'help@demo.test',
    cc: [{ email: 'bo@example.com', name: 'Bo' }],
    bcc: ['cy@example.com'],
    tags: ['welcome', 'test'],
    headers: { 'X-Mine': 'yes' },
    subject: 'Hello',
    body: '<p>Hi <b>Ada</b></p>',
    tracking: false,
    attachments: [{ filename: 'terms.txt', content: Buffer.from('Terms').toString('base64'), contentType: 'text/plain' }],
  })
  const { data, errors } = await asker(url, secret)(Parts, { first: 5 })
  expect(errors).toEqual([])
  const [email] = data?.emails.nodes ?? []
  expect(email).toMatchObject({
    ...{ from: 'hello@demo.test', fromName: 'Acme', replyTo: 'help@demo.test', type: 'TRANSACTIONAL', tags: ['welcome', 'test'] },
    ...{ cc: [{ email: 'bo@example.com', name: 'Bo' }], bcc: [{ email: 'cy@example.com', name: null }] },
  })
  expect(email?.message?.html?.trim()).toBe('<p>Hi <b>Ada</b></p>')
  expect(email?.message?.text?.trim()).toBe('Hi Ada')
  expect(email?.message?.attachments).toEqual([{ filename: 'terms.txt', contentType: 'text/plain', size: 5 }])
  expect(email?.message?.headers).toContainEqual({ name: 'X-Mine', value: 'yes' })
  expect(email?.message?.headers).toContainEqual({ name: 'Subject', value: 'Hello' })
})

test('senders and copies of a list of emails cost no query per email', async () => {
  const { ctx, secret } = await sendingProject(world)
  for (let n = 0; n < 4; n++) await accept(ctx, { to: `p${n}@example.com` })
  const query = 'query ($first: Int) { emails(first: $first) { nodes { from fromName replyTo type tags cc { email } } } }'
  const few = await fewestQueriesOf(() => asker(url, secret)(query, { first: 1 }))
  const many = await fewestQueriesOf(() => asker(url, secret)(query, { first: 4 }))
  expect([few.reply.errors, many.reply.errors]).toEqual([[], []])
  expect(many.queries).toBeLessThanOrEqual(few.queries)
})
