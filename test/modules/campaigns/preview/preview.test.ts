import { describe, expect, test } from 'vitest'
import { createCampaign } from '../../../../src/modules/campaigns/changes.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/index.ts'
import { sendingProject } from '../../../help/mails.ts'
import { testServer } from '../../../help/server.ts'

const { world, url, call } = await testServer()
const template = {
  name: 'Welcome',
  subject: 'Hello {{ name ?? "you" }}',
  body: '<p>Dear {{ name }} of {{ town }}, <a href="https://example.com/a?b=1&amp;c=2">look</a> <a href="https://example.com/a?b=1&amp;c=2">again</a></p>',
  from: 'hello@demo.test',
  replyTo: 'help@demo.test',
  type: 'TRANSACTIONAL' as const,
}
const campaign = {
  name: 'News',
  subject: 'News for {{ name }}',
  previewText: 'Read',
  body: '<p>News</p>',
  from: 'news@demo.test',
  audienceType: 'ALL' as const,
}

const document = graphql(`
  query PreviewEmail($input: PreviewEmailInput!) {
    previewEmail(input: $input) { subject previewText html text from fromName replyTo missing links sizeBytes }
  }
`)

async function project() {
  const { ctx, secret, projectId } = await sendingProject(world)
  const ask = asker(url, secret)
  return { ctx, secret, projectId, preview: (input: object) => ask(document, { input }) }
}

describe('previewEmail', () => {
  test('renders a template as REST does, and says what is missing, where links lead, and how large it is', async () => {
    const { ctx, secret, preview } = await project()
    const { id } = await createTemplate(ctx, template)
    const contact = await upsertContact(ctx, { email: 'ada@example.com', data: { town: 'London' } })
    const { data, errors } = await preview({ templateId: id, contactId: contact.id })
    expect(errors).toEqual([])
    const { body } = await call(`POST /templates/${id}/preview`, { contactId: contact.id }, { key: secret })
    const { sizeBytes, ...shown } = data?.previewEmail ?? { sizeBytes: 0 }
    expect(shown).toEqual({
      ...body,
      ...{
        previewText: null,
        from: 'hello@demo.test',
        fromName: 'Acme',
        replyTo: 'help@demo.test',
        missing: ['name'],
        links: ['https://example.com/a?b=1&c=2'],
      },
    })
    // Tracked links and the pixel are longer.
    expect(sizeBytes).toBeGreaterThan(Buffer.byteLength(body.html) + 200)
  })

  test('the size without tracking is that of the HTML', async () => {
    const { preview, projectId } = await project()
    await world.db.prisma.project.update({ where: { id: projectId }, data: { tracking: 'DISABLED' } })
    const { data } = await preview({ body: '<p>ü <a href="https://example.com">x</a></p>', type: 'TRANSACTIONAL' })
    expect(data?.previewEmail.sizeBytes).toBe(Buffer.byteLength(data?.previewEmail.html ?? ''))
  })

  test('what is given wins over the campaign, null empties its preview text, and nothing is stored', async () => {
    const { ctx, preview } = await project()
    const { id } = await createCampaign(ctx, campaign)
    const stored = await preview({ campaignId: id })
    expect(stored.data?.previewEmail).toMatchObject({ subject: 'News for', from: 'news@demo.test', replyTo: null, missing: ['name'] })
    expect(stored.data?.previewEmail.html).toMatch(/^<div style="display:none[^>]+>Read/)
    const given = {
      subject: 'Unsaved {{ profile.tier }}',
      previewText: null,
      body: '<b>{{ name }}</b>',
      type: 'HEADLESS',
      from: 'a@other.example',
    }
    const { data } = await preview({ campaignId: id, ...given, data: { name: 'Ada' } })
    expect(data?.previewEmail).toMatchObject({
      ...{ subject: 'Unsaved', html: '<b>Ada</b>', text: 'Ada', from: 'a@other.example', missing: ['profile.tier'], links: [] },
    })
    expect((await preview({ campaignId: id })).data?.previewEmail.html).toBe(stored.data?.previewEmail.html)
  })

  test('says what is shown beside the subject, and the name of the sender: that of the content, or else of the project', async () => {
    const { ctx, preview } = await project()
    const { id } = await createCampaign(ctx, { ...campaign, previewText: ' For\n{{ name }}, {{ long }}', fromName: 'News desk' })
    const long = 'x'.repeat(300)
    const { data } = await preview({ campaignId: id, data: { name: 'Ada', long } })
    expect(data?.previewEmail).toMatchObject({ previewText: `For Ada, ${long}`.slice(0, 200), fromName: 'News desk' })
    const given = await preview({ campaignId: id, previewText: '{{ nothing }}', fromName: 'Ada' })
    expect(given.data?.previewEmail).toMatchObject({ previewText: null, fromName: 'Ada' })
    expect((await preview({ campaignId: id, fromName: null })).data?.previewEmail.fromName).toBe('Acme')
    expect((await preview({ body: 'x', fromName: 'x'.repeat(101) })).errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
  })

  test('needs no stored content', async () => {
    const { preview } = await project()
    const { data } = await preview({ body: '<p>{{ email }}</p>', type: 'TRANSACTIONAL' })
    expect(data?.previewEmail).toMatchObject({ subject: '', html: '<p>recipient@example.com</p>', from: null, replyTo: null })
  })

  test.each([
    [
      'a template and a campaign',
      { templateId: 'tpl_x', campaignId: 'cmp_x' },
      'VALIDATION_ERROR',
      /"campaignId" cannot be given together/,
    ],
    ['nothing to render', { subject: 'Hi' }, 'VALIDATION_ERROR', /"body" is required without/],
    ['Liquid that does not parse', { body: 'a\n{% if %}' }, 'VALIDATION_ERROR', /"body" is not a valid template: .*\(line 2, column 6\)/],
    ['a template of nobody', { templateId: 'tpl_x' }, 'TEMPLATE_NOT_FOUND', /./],
    ['a campaign of nobody', { campaignId: 'cmp_x' }, 'RESOURCE_NOT_FOUND', /./],
    ['a contact of nobody', { body: 'x', contactId: 'cnt_x' }, 'CONTACT_NOT_FOUND', /./],
  ])('is refused for %s', async (_what, input, code, sentence) => {
    const { preview } = await project()
    const { errors } = await preview(input)
    expect(errors[0]?.extensions.code).toBe(code)
    expect(errors[0]?.message).toMatch(sentence)
  })

  test('shows nothing of another project', async () => {
    const other = await project()
    const { preview } = await project()
    const { id } = await createCampaign(other.ctx, campaign)
    const { id: templateId } = await createTemplate(other.ctx, template)
    expect((await preview({ campaignId: id })).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
    expect((await preview({ templateId })).errors[0]?.extensions.code).toBe('TEMPLATE_NOT_FOUND')
  })
})
