import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { testServer } from '../../../help/server.ts'

const { world, call } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const draft = {
  name: 'Welcome',
  subject: 'Hello {{ name ?? "you" }}',
  previewText: 'For {{ name }}',
  body: '<p>Dear {{ name }} of {{ town }} ({{ email }}), <a href="https://example.com/x">look</a></p>',
  from: 'hello@demo.test',
}

async function projectWith(change: object = {}) {
  const project = await sendingProject(world)
  const template = await createTemplate(project.ctx, { ...draft, type: 'MARKETING', ...change })
  const preview = (body: object, id = template.id) => call(`POST /templates/${id}/preview`, body, { key: project.secret })
  return { ...project, template, preview }
}

const tables = ['contact', 'email', 'emailContent', 'event'] as const

/** How many rows of what sending writes there are. */
async function counts(projectId: string): Promise<number[]> {
  return Promise.all(tables.map((table) => (world.db.prisma[table] as typeof world.db.prisma.contact).count({ where: { projectId } })))
}

describe('POST /templates/:id/preview', () => {
  test('200 is what would be sent to the contact, without tracking; nothing is stored', async () => {
    const { ctx, projectId, preview } = await projectWith()
    const contact = await upsertContact(ctx, { email: 'ada@example.com', data: { name: 'Ada', town: 'London' } })
    const before = await counts(projectId)
    const { status, body } = await preview({
      contactId: contact.id,
      data: { town: 'Bath & Wells', name: { value: 'Countess', persistent: false } },
    })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['html', 'subject', 'text'])
    expect(body.subject).toBe('Hello Countess')
    expect(body.html).toMatch(
      /^<div style="display:none[^>]+>For Countess.*<\/div><p>Dear Countess of Bath &amp; Wells \(ada@example.com\), <a href="https:\/\/example.com\/x">/,
    )
    expect(body.html).toMatch(/You received this email because .* Acme/)
    expect(body.html).not.toContain('/t/')
    expect(body.text).toMatch(/^Dear Countess of Bath & Wells \(ada@example.com\), look \[https:\/\/example.com\/x\]\n\n-- \nYou received/)
    expect(await counts(projectId)).toEqual(before)
  })

  test('is the email that is sent, except for the links of the contact’s own pages, which change nothing here', async () => {
    const { ctx, projectId, preview, template } = await projectWith()
    const data = { name: 'Ada', town: 'London' }
    const { id, contactId } = await accept(ctx, {
      template: template.id,
      from: undefined,
      subject: undefined,
      body: undefined,
      tracking: false,
      data,
    })
    await turnAndSweep(world, 0)
    const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
    const sent = await PostalMime.parse(Buffer.from(mail?.raw ?? ''))
    const { body } = await preview({ contactId })
    const pageOf = /http:\/\/localhost[^"]*\/manage\/[\w.-]+/g
    const [link = ''] = body.html.match(pageOf) ?? []
    const neutral = (text = ''): string => text.replace(pageOf, 'PAGE').trimEnd()
    expect([sent.subject, neutral(sent.html), neutral(sent.text)]).toEqual([body.subject, neutral(body.html), neutral(body.text)])
    expect(sent.html).not.toContain(link)
    expect((await call(`GET ${new URL(link).pathname}`)).status).toBe(404)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    expect((await call(`POST ${new URL(link).pathname}`, 'subscribed=false', form)).status).toBe(404)
  })

  test('has a sample recipient without a contact, in the language of the project', async () => {
    const { projectId, preview } = await projectWith({ body: '<p>{{ email }} {{ subscribed }} {{ locale }}</p>' })
    await world.db.prisma.project.update({ where: { id: projectId }, data: { language: 'nl' } })
    const { status, body } = await preview({})
    expect([status, body.subject]).toEqual([200, 'Hello you'])
    expect(body.html).toContain('<p>recipient@example.com true nl</p>')
    expect(body.html).toContain('pas dan uw voorkeuren aan')
  })

  test.each([
    [
      'a value that grows too large',
      { subject: 'Hi', body: '{% for i in (1..many) %}{% endfor %}' },
      /nested too deeply or grows too large|memory/,
    ],
    [
      'a loop without an end',
      { subject: 'Hi', body: '{% for i in (1..1000000) %}{% for j in (1..1000000) %}{% endfor %}{% endfor %}' },
      /ms of computing time|too large/,
    ],
    ['a subject that becomes too long', { subject: '{{ name }}' }, /longer than 998 characters/],
  ])('422 has the sentence that would be the reason of a failed email: %s', async (_what, change, sentence) => {
    const { preview } = await projectWith(change)
    const { status, body } = await preview({ data: { name: 'x'.repeat(1_000), many: 100_000_000 } })
    expect([status, body.error.code, body.error.errors[0].code]).toEqual([422, 'VALIDATION_ERROR', 'template_failed'])
    expect(body.error.message).toMatch(sentence)
  })

  test('many at once of one project take turns, and another project does not wait for all of them', async () => {
    const slow = await projectWith({ subject: 'Hi', body: '{% for i in (1..20000) %}{% for j in (1..1000) %}{% endfor %}{% endfor %}' })
    const other = await projectWith()
    const order: string[] = []
    const many = Array.from({ length: 12 }, () => slow.preview({}).then(({ status }) => order.push(`slow ${status}`)))
    const one = other.preview({}).then(({ status }) => order.push(`other ${status}`))
    await Promise.all([...many, one])
    expect(order.indexOf('other 200')).toBeLessThan(6)
    expect(order.filter((answer) => answer === 'slow 422')).toHaveLength(12)
  })

  test('those that take long, of however many projects, hold up none that is quick', async () => {
    const nested = '<div>'.repeat(40_000)
    const slow = await Promise.all(Array.from({ length: 5 }, () => projectWith({ subject: 'Hi', body: nested })))
    const other = await projectWith()
    // Starts its thread.
    expect((await other.preview({})).status).toBe(200)
    const order: string[] = []
    const many = slow.map(({ preview }) => preview({}).then(({ status }) => order.push(`slow ${status}`)))
    const one = other.preview({}).then(({ status }) => order.push(`other ${status}`))
    await Promise.all([...many, one])
    expect(order.indexOf('other 200')).toBeLessThan(2)
    expect(order.filter((answer) => answer === 'slow 200')).toHaveLength(5)
  })

  test('422 says what to change where a body has too many elements or links', async () => {
    const { preview } = await projectWith({ subject: 'Hi', body: '<div>'.repeat(60_000) })
    expect((await preview({})).body.error.message).toMatch(/more than 50,000 HTML elements.* Shorten it/)
    const linked = await projectWith({ subject: 'Hi', body: '<a href="https://example.com/1">y</a>'.repeat(21_000) })
    expect((await linked.preview({})).body.error.message).toMatch(/more than 20,000 links.* Leave some out/)
  })

  test('404 for a template or contact of another project, 422 for data that breaks a rule, 401 for a public key', async () => {
    const { preview, template, public: publicKey } = await projectWith()
    const other = await projectWith()
    const contact = await upsertContact(other.ctx, { email: 'ada@example.com' })
    expect((await preview({}, other.template.id)).body.error.code).toBe('TEMPLATE_NOT_FOUND')
    expect((await preview({ contactId: contact.id })).body.error.code).toBe('CONTACT_NOT_FOUND')
    expect((await preview({ data: { ['x'.repeat(256)]: 1 } })).status).toBe(422)
    expect((await call(`POST /templates/${template.id}/preview`, {}, { key: publicKey })).status).toBe(401)
  })
})
