import { beforeAll, describe, expect, test } from 'vitest'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { TemplateChange, TemplateDraft, TemplateSearch } from '../../../src/modules/templates/shapes.ts'
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from '../../../src/modules/templates/templates.ts'
import { getTemplateUsage } from '../../../src/modules/templates/usage.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const draft = { subject: 'Welcome, {{ name ?? "friend" }}', body: '<p>Hello {{ name }}</p>', from: 'hello@demo.test' }

async function projectWithDomain() {
  const project = await freshProject(world)
  // Every new project may send from demo.test.
  await createDomain(project.ctx, { domain: 'demo.test' }).catch((error: { code?: string }) => expect(error.code).toBe('CONFLICT'))
  return project
}

describe('createTemplate', () => {
  let ctx: Awaited<ReturnType<typeof projectWithDomain>>['ctx']
  beforeAll(async () => {
    ctx = (await projectWithDomain()).ctx
  })

  test('accepts subject, body and sender, and sets defaults for the rest', async () => {
    const template = await createTemplate(ctx, draft)
    expect(template).toEqual({
      ...draft,
      previewText: null,
      id: expect.stringMatching(/^tpl_/),
      name: draft.subject,
      description: null,
      fromName: null,
      replyTo: null,
      type: 'MARKETING',
      mode: 'HTML',
      createdAt: world.clock.now(),
      updatedAt: world.clock.now(),
    })
    expect(await getTemplate(ctx, { id: template.id })).toEqual(template)
  })

  test('takes the first 100 characters of the subject as the name if none is given', async () => {
    const { name } = await createTemplate(ctx, { ...draft, subject: `${'x'.repeat(98)}😀😀😀` })
    expect(name).toBe(`${'x'.repeat(98)}😀😀`)
  })

  test.each([
    ['body', { body: '<p>\n  {% if name %}Hello\n</p>' }, 'line 2'],
    ['subject', { subject: 'Hi {{ name | nosuchfilter' }, 'line 1'],
    ['body', { body: 'one\ntwo {% include "other" %}' }, 'line 2'],
    ['previewText', { previewText: 'For {{ name | nosuchfilter' }, 'line 1'],
  ])('refuses invalid Liquid in the %s, with line and column', async (field, part, line) => {
    const { total } = await listTemplates(ctx, TemplateSearch.parse({}))
    await expect(createTemplate(ctx, { ...draft, ...part })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code: 'invalid_template', message: expect.stringMatching(new RegExp(`${line}, column \\d+`)) }],
    })
    expect((await listTemplates(ctx, TemplateSearch.parse({}))).total).toBe(total)
  })

  test('refuses a sender whose domain is not verified', async () => {
    await expect(createTemplate(ctx, { ...draft, from: 'hello@elsewhere.test' })).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
  })
})

describe('TemplateDraft', () => {
  test.each([
    ['a missing subject', { subject: undefined }],
    ['an empty subject', { subject: '' }],
    ['a subject of 999 characters', { subject: 'x'.repeat(999) }],
    ['a line break in the subject', { subject: 'Hi\r\nBcc: all@example.com' }],
    ['a line break in the sender’s name', { fromName: 'Acme\nBcc: all@example.com' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a description of 501 characters', { description: 'x'.repeat(501) }],
    ['a preview text of 201 characters', { previewText: 'x'.repeat(201) }],
    ['an empty preview text', { previewText: '' }],
    ['a line break in the preview text', { previewText: 'a\nb' }],
    ['an empty body', { body: '' }],
    ['a NUL in the body', { body: 'a\0b' }],
    ['a sender that is no address', { from: 'hello' }],
    ['a reply-to that is no address', { replyTo: 'help' }],
    ['an unknown type', { type: 'SPAM' }],
    ['a body that is a number', { body: 5 }],
  ])('refuses %s', (_what, part) => {
    expect(TemplateDraft.safeParse({ ...draft, ...part }).success).toBe(false)
  })

  test('accepts a subject of 998 characters and a body of 5 MB', () => {
    expect(TemplateDraft.safeParse({ ...draft, subject: 'x'.repeat(998), body: 'x'.repeat(5 * 1024 * 1024) }).success).toBe(true)
  })
})

describe('updateTemplate', () => {
  test('changes only the fields that are given, and null clears optional ones', async () => {
    const { ctx } = await projectWithDomain()
    const before = await createTemplate(ctx, {
      ...draft,
      fromName: 'Acme',
      replyTo: 'help@demo.test',
      description: 'First',
      previewText: 'For {{ name }}',
      type: 'TRANSACTIONAL',
    })
    const { id } = before
    expect(await updateTemplate(ctx, { id, subject: 'New' })).toEqual({ ...before, subject: 'New', updatedAt: expect.any(Date) })
    expect(await updateTemplate(ctx, { id, fromName: null, replyTo: null, description: null, previewText: null })).toMatchObject({
      subject: 'New',
      previewText: null,
      fromName: null,
      replyTo: null,
      description: null,
      type: 'TRANSACTIONAL',
    })
  })

  test('refuses null for required fields', () => {
    for (const field of ['name', 'subject', 'body', 'from', 'type']) {
      expect(TemplateChange.safeParse({ id: 'tpl_x', [field]: null }).success).toBe(false)
    }
  })

  test('refuses invalid Liquid and a sender on an unverified domain, and changes nothing', async () => {
    const { ctx } = await projectWithDomain()
    const before = await createTemplate(ctx, draft)
    const { id } = before
    await expect(updateTemplate(ctx, { id, name: 'New', body: '{% for %}' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(updateTemplate(ctx, { id, name: 'New', from: 'a@elsewhere.test' })).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
    expect(await getTemplate(ctx, { id })).toEqual(before)
  })
})

describe('listTemplates', () => {
  const list = (ctx: Parameters<typeof listTemplates>[0], search: object) => listTemplates(ctx, TemplateSearch.parse(search))

  test('returns numbered pages, newest first', async () => {
    const { ctx } = await projectWithDomain()
    const ids: string[] = []
    for (let at = 0; at < 5; at++) ids.unshift((await createTemplate(ctx, { ...draft, name: `Template ${at}` })).id)
    const first = await list(ctx, { pageSize: '2' })
    expect(first).toMatchObject({ total: 5, page: 1, pageSize: 2, totalPages: 3 })
    expect(first.templates).toEqual(first.data)
    const pages = [first, await list(ctx, { pageSize: '2', page: '2' }), await list(ctx, { pageSize: '2', page: '3' })]
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids)
    expect((await list(ctx, { page: '9' })).data).toEqual([])
  })

  test('finds a part of name, description or subject, ignoring case, without wildcards', async () => {
    const { ctx } = await projectWithDomain()
    await createTemplate(ctx, { ...draft, name: 'Invoice', subject: 'one' })
    await createTemplate(ctx, { ...draft, name: 'two', subject: 'Your INVOICE' })
    await createTemplate(ctx, { ...draft, name: 'three', subject: 'x', description: 'the invoice email' })
    await createTemplate(ctx, { ...draft, name: '100% off_er', subject: 'x' })
    const names = async (search: string) => (await list(ctx, { search })).data.map(({ name }) => name)
    expect(await names('invoice')).toEqual(['three', 'two', 'Invoice'])
    expect(await names('%')).toEqual(['100% off_er'])
    expect(await names('f_e')).toEqual(['100% off_er'])
    expect(await names('1_0')).toEqual([])
    expect(await names('\\')).toEqual([])
  })

  test('filters by type', async () => {
    const { ctx } = await projectWithDomain()
    await createTemplate(ctx, draft)
    const plain = await createTemplate(ctx, { ...draft, type: 'TRANSACTIONAL' })
    expect((await list(ctx, { type: 'TRANSACTIONAL' })).data).toEqual([plain])
  })

  test.each([{ page: '0' }, { pageSize: '101' }, { pageSize: 'many' }, { type: 'SPAM' }])('refuses %j', (search) => {
    expect(TemplateSearch.safeParse(search).success).toBe(false)
  })
})

describe('duplicateTemplate', () => {
  test('copies everything under the name with (Copy) added', async () => {
    const { ctx } = await projectWithDomain()
    const source = await createTemplate(ctx, {
      ...draft,
      name: 'Welcome',
      description: 'First',
      fromName: 'Acme',
      previewText: 'x'.repeat(200),
    })
    const copy = await duplicateTemplate(ctx, { id: source.id })
    expect(copy.id).not.toBe(source.id)
    expect(copy).toEqual({ ...source, id: copy.id, name: 'Welcome (Copy)', createdAt: expect.any(Date), updatedAt: expect.any(Date) })
  })

  test('keeps the name within 100 characters', async () => {
    const { ctx } = await projectWithDomain()
    const source = await createTemplate(ctx, { ...draft, name: 'x'.repeat(100) })
    expect((await duplicateTemplate(ctx, { id: source.id })).name).toBe(`${'x'.repeat(93)} (Copy)`)
  })
})

describe('getTemplateUsage', () => {
  test('returns no campaigns, no steps and no emails for a new template', async () => {
    const { ctx } = await projectWithDomain()
    const { id } = await createTemplate(ctx, draft)
    expect(await getTemplateUsage(ctx, { id })).toEqual({ campaigns: [], workflowSteps: [], emailsSent: 0 })
  })
})

describe('another project’s template', () => {
  test('is TEMPLATE_NOT_FOUND for every operation, and stays unchanged', async () => {
    const { ctx } = await projectWithDomain()
    const other = await projectWithDomain()
    const theirs = await createTemplate(other.ctx, draft)
    const { id } = theirs
    const calls = [
      () => getTemplate(ctx, { id }),
      () => updateTemplate(ctx, { id, name: 'Mine' }),
      () => deleteTemplate(ctx, { id }),
      () => duplicateTemplate(ctx, { id }),
      () => getTemplateUsage(ctx, { id }),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND', status: 404 })
    expect((await listTemplates(ctx, TemplateSearch.parse({}))).data).toEqual([])
    expect(await getTemplate(other.ctx, { id })).toEqual(theirs)
  })
})

describe('deleteTemplate', () => {
  test('removes it', async () => {
    const { ctx } = await projectWithDomain()
    const { id } = await createTemplate(ctx, draft)
    await deleteTemplate(ctx, { id })
    await expect(getTemplate(ctx, { id })).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' })
  })
})
