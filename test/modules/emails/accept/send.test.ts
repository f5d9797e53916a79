import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { read } from '../../../../src/kit/problems.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { createDomain } from '../../../../src/modules/domains/domains.ts'
import { sendEmail } from '../../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../../src/modules/emails/accept/shapes.ts'
import { listEvents } from '../../../../src/modules/events/events.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
let project: Awaited<ReturnType<typeof freshProject>>

beforeAll(async () => {
  project = await freshProject(world)
  await createDomain(project.ctx, { domain: 'acme.test' })
})

const plain = { to: 'ada@example.com', from: 'hi@acme.test', subject: 'Hello', body: '<p>Hi</p>' }
const send = (draft: z.input<typeof SendDraft>) => sendEmail(project.ctx, read(SendDraft, draft))
const rows = async () => ({
  contacts: await world.db.prisma.contact.count({ where: { projectId: project.projectId } }),
  emails: await world.db.prisma.email.count({ where: { projectId: project.projectId } }),
  contents: await world.db.prisma.emailContent.count({ where: { projectId: project.projectId } }),
})

describe('200', () => {
  test('creates an unsubscribed contact, a pending email and its job, together', async () => {
    const { emails, timestamp } = await send({ ...plain, to: 'new@example.com' })
    expect(emails).toEqual([
      { contact: { id: expect.stringMatching(/^cnt_/), email: 'new@example.com' }, email: expect.stringMatching(/^eml_/) },
    ])
    expect(timestamp).toEqual(world.clock.now())
    const stored = await world.db.prisma.email.findMany({
      where: { projectId: project.projectId, id: emails[0]?.email ?? '' },
      include: { contact: true },
    })
    expect(stored).toMatchObject([{ status: 'PENDING', subject: 'Hello', toAddress: 'new@example.com', contact: { subscribed: false } }])
    const jobs = await world.db.prisma.$queryRawUnsafe<{ data: { turns: string[][] } }[]>(
      `select data from pgboss.job where name = 'emails-deliver'`,
    )
    expect(jobs.flatMap(({ data }) => data.turns)).toContainEqual([project.projectId, 'transactional'])
    const deliveries = await world.db.prisma.delivery.findMany({ where: { projectId: project.projectId } })
    expect(deliveries).toContainEqual(expect.objectContaining({ emailId: emails[0]?.email, lane: 0, due: null, attempts: 0, claim: null }))
  })

  test('returns emails in the order of `to`; a repeated address gets one email, listed twice', async () => {
    const before = await rows()
    const { emails } = await send({ ...plain, to: ['b@example.com', { email: 'A@example.com', name: 'Ada' }, ' a@Example.com '] })
    expect(emails.map(({ contact }) => contact.email)).toEqual(['b@example.com', 'a@example.com', 'a@example.com'])
    expect(emails[1]).toEqual(emails[2])
    expect(await rows()).toEqual({ contacts: before.contacts + 2, emails: before.emails + 2, contents: before.contents + 1 })
  })

  test('stores the preview text of the template, unless the call gives another one or none', async () => {
    const { id } = await createTemplate(project.ctx, { subject: 'T', previewText: 'For {{ name }}', body: 'TB', from: 'team@acme.test' })
    const previews = [undefined, 'Mine', null].map(async (previewText) => {
      const { emails } = await send({ to: 'ada@example.com', template: id, previewText })
      const where = { projectId_id: { projectId: project.projectId, id: emails[0]?.email ?? '' } }
      return (await world.db.prisma.email.findUnique({ where, select: { content: true } }))?.content?.previewText
    })
    expect(await Promise.all(previews)).toEqual(['For {{ name }}', 'Mine', null])
  })

  test('keeps the subscription of an existing contact, or changes and logs it', async () => {
    const { ctx } = project
    const { id } = await upsertContact(ctx, { email: 'kept@example.com', subscribed: true })
    await send({ ...plain, to: 'kept@example.com' })
    expect((await listEvents(ctx, { limit: 5, contactId: id })).data).toEqual([])
    await send({ ...plain, to: 'kept@example.com', subscribed: false })
    expect((await listEvents(ctx, { limit: 5, contactId: id })).data).toMatchObject([
      { name: 'contact.unsubscribed', data: { source: 'send' } },
    ])
  })

  test('takes subject, body, sender and reply-to from a template, and overrides them with what is given', async () => {
    const template = await createTemplate(project.ctx, {
      name: 'Welcome',
      subject: 'T',
      body: 'TB',
      from: 'team@acme.test',
      fromName: 'Team',
      replyTo: 're@acme.test',
    } as never)
    const content = async (draft: object) => {
      const { emails } = await send({ to: 'ada@example.com', template: template.id, ...draft })
      const found = await world.db.prisma.email.findFirst({
        where: { projectId: project.projectId, id: emails[0]?.email ?? '' },
        include: { content: true },
      })
      return found?.content
    }
    expect(await content({})).toMatchObject({
      subject: 'T',
      html: 'TB',
      fromAddress: 'team@acme.test',
      fromName: 'Team',
      replyTo: 're@acme.test',
      type: 'MARKETING',
    })
    expect(await content({ subject: 'Own', from: { email: 'me@acme.test', name: 'Me' } })).toMatchObject({
      subject: 'Own',
      html: 'TB',
      fromAddress: 'me@acme.test',
      fromName: 'Me',
    })
  })

  test('stores the data of the call by the rules of custom data and keeps all of it for rendering', async () => {
    const { emails } = await send({ ...plain, to: 'data@example.com', data: { plan: 'pro', code: { value: 'X', persistent: false } } })
    const found = await world.db.prisma.email.findFirst({
      where: { projectId: project.projectId, id: emails[0]?.email ?? '' },
      include: { content: true, contact: true },
    })
    expect(found?.contact.data).toEqual({ plan: 'pro' })
    expect(found?.content?.data).toEqual({ plan: 'pro', code: 'X' })
  })

  test('accepts many calls at once, each with its own content', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => send({ ...plain, to: `many${at % 5}@example.com`, subject: `S${at}` })),
    )
    const ids = answers.map(({ emails }) => emails[0]?.email ?? '')
    expect(new Set(ids).size).toBe(40)
    const stored = await world.db.prisma.email.findMany({
      where: { projectId: project.projectId, id: { in: ids } },
      include: { content: true },
    })
    for (const mail of stored) expect(mail.content?.subject).toBe(`S${ids.indexOf(mail.id)}`)
  })
})

describe('refused, and nothing written', () => {
  const eleven = Array.from({ length: 11 }, (_, at) => ({ filename: `${at}.txt`, content: 'aGk=', contentType: 'text/plain' }))
  const cases: [string, object, { field?: string; code?: string; message?: string }][] = [
    ['no recipient', { to: undefined }, { field: 'to' }],
    ['an empty list of recipients', { to: [] }, { field: 'to' }],
    ['a recipient that is no address', { to: 'nobody' }, { field: 'to' }],
    ['one bad recipient of many', { to: ['a@example.com', 'bad'] }, { field: 'to.1' }],
    ['a name with CR', { to: { email: 'a@example.com', name: 'A\rBcc: x@y.z' } }, { field: 'to.name' }],
    ['no subject without a template', { subject: undefined }, { field: 'subject' }],
    ['no body without a template', { body: undefined }, { field: 'body' }],
    ['a subject with a newline', { subject: 'a\nBcc: x@y.z' }, { field: 'subject' }],
    ['a subject of 999 characters', { subject: 'x'.repeat(999) }, { field: 'subject' }],
    ['no sender', { from: undefined }, { field: 'from' }],
    ['a header value with CRLF', { headers: { 'X-A': 'a\r\nBcc: x@y.z' } }, { field: 'headers.X-A' }],
    [
      'a header name with LF',
      { headers: { 'X-A\nBcc': 'a' } },
      { field: 'headers.X-A\nBcc', message: 'is not a valid header name: use 1 to 76 printable ASCII characters without colon or space' },
    ],
    ['a header value over 998 characters', { headers: { 'X-A': 'a'.repeat(999) } }, { field: 'headers.X-A' }],
    [
      'a forbidden header, in any case',
      { headers: { 'dkim-SIGNATURE': 'a' } },
      { field: 'headers.dkim-SIGNATURE', message: 'is set by the platform and cannot be given' },
    ],
    ['a Reply-To header that is not an address', { headers: { 'Reply-To': 'nobody' } }, { field: 'headers' }],
    [
      'a header twice, in another case',
      { headers: { 'X-A': 'a', 'x-a': 'b' } },
      { field: 'headers', message: 'must have each name once: `Reply-To` and `reply-to` are one header' },
    ],
    ['51 headers', { headers: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`X-${at}`, 'a'])) }, { field: 'headers' }],
    ['11 attachments', { attachments: eleven }, { field: 'attachments' }],
    [
      'an attachment that is not base64',
      { attachments: [{ filename: 'a', content: '%%%', contentType: 'text/plain' }] },
      { field: 'attachments.0.content' },
    ],
    [
      'an attachment name with quotes',
      { attachments: [{ filename: 'a"b', content: 'aGk=', contentType: 'text/plain' }] },
      { field: 'attachments.0.filename' },
    ],
    [
      'an inline attachment without contentId',
      { attachments: [{ filename: 'a', content: 'aGk=', contentType: 'image/png', disposition: 'inline' }] },
      { field: 'attachments.0.contentId' },
    ],
    ...['grüße', 'a b', 'a>b', 'a%20b', 'a"b', 'a#b', 'a\r\nb'].map((contentId): (typeof cases)[number] => [
      `the contentId ${JSON.stringify(contentId)}`,
      { attachments: [{ filename: 'a', content: 'aGk=', contentType: 'image/png', contentId }] },
      { field: 'attachments.0.contentId' },
    ]),
    ['cc with several recipients', { to: ['a@example.com', 'b@example.com'], cc: ['c@example.com'] }, { field: 'cc' }],
    ['data that is no object', { data: 'x' }, { field: 'data' }],
    ['data: null', { data: null }, { field: 'data' }],
    ['broken Liquid in the body', { body: 'a\nb {{ name' }, { field: 'body', code: 'invalid_template' }],
    ['broken Liquid in the preview text', { previewText: '{% if %}' }, { field: 'previewText', code: 'invalid_template' }],
    ['a preview text of 201 characters', { previewText: 'x'.repeat(201) }, { field: 'previewText' }],
    ['broken Liquid in the subject', { subject: '{% if %}' }, { field: 'subject', code: 'invalid_template' }],
    ['NUL in the body', { body: 'a\0b' }, { field: 'body' }],
  ]

  test.each(cases)('%s', async (_, change, expected) => {
    const before = await rows()
    const refusal = await Promise.resolve()
      .then(() => send({ ...plain, ...change }))
      .catch((error: unknown) => error)
    expect(refusal).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 422,
      errors: expect.arrayContaining([expect.objectContaining(expected)]),
    })
    expect(await rows()).toEqual(before)
  })

  test('an unknown template, and one of another project', async () => {
    const other = await freshProject(world)
    await createDomain(other.ctx, { domain: 'acme.test' })
    const { id } = await createTemplate(other.ctx, { name: 'X', subject: 'T', body: 'TB', from: 'team@acme.test' } as never)
    const before = await rows()
    for (const template of ['tpl_00000000000000000000000000', 'nonsense', id]) {
      await expect(send({ ...plain, template })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' })
    }
    expect(await rows()).toEqual(before)
  })

  test('a sender whose domain is not verified, is a sub-domain, or is another project’s', async () => {
    const before = await rows()
    for (const from of ['a@unknown.test', 'a@sub.acme.test'])
      await expect(send({ ...plain, from })).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED', status: 403 })
    expect(await rows()).toEqual(before)
  })

  test('attachments over 10 MB together', async () => {
    const content = Buffer.alloc(6 * 1024 * 1024).toString('base64')
    const file = { filename: 'a.bin', content, contentType: 'application/octet-stream' }
    await expect(send({ ...plain, attachments: [file, { ...file, filename: 'b.bin' }] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'attachments' }],
    })
  })

  test('a composed message over 40 MB', async () => {
    await expect(send({ ...plain, body: 'x'.repeat(31 * 1024 * 1024) })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 })
    // Before anything is looked for in it.
    await expect(send({ ...plain, body: '{{'.repeat(16 * 1024 * 1024) })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  })
})
