import { describe, expect, test } from 'vitest'
import { deleteCampaign } from '../../../src/modules/campaigns/changes.ts'
import { createTemplate, deleteTemplate, updateTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { counted, drafted, runUntil, withContacts } from '../../help/campaigns.ts'
import { accept, sendingProject, turnAndSweep } from '../../help/mails.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'

const { call, url, world } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const content = {
  subject: 'For {{ name }}',
  previewText: 'Soon',
  body: '<p>Hello {{ name }}</p>',
  from: 'hello@demo.test',
  fromName: 'Ada',
  replyTo: 'help@demo.test',
  type: 'HEADLESS' as const,
}
const all = { name: 'News', audienceType: 'ALL' }

async function withTemplate() {
  const project = await sendingProject(world)
  const template = await createTemplate(project.ctx, { name: 'Welcome', ...content })
  const as = { key: project.secret }
  const create = async (body: object) => (await call('POST /campaigns', { ...all, templateId: template.id, ...body }, as)).body.data
  return { ...project, template, as, create, ask: asker(url, project.secret) }
}

describe('a campaign with a template', () => {
  test('copies what it does not say itself, once, and leads back to the template', async () => {
    const { ctx, template, as, create, ask } = await withTemplate()
    const copied = await create({})
    expect(copied).toMatchObject({ ...content, templateId: template.id, status: 'DRAFT' })
    expect(await create({ subject: 'Mine', fromName: null, type: 'MARKETING' })).toMatchObject({
      ...content,
      subject: 'Mine',
      fromName: null,
      type: 'MARKETING',
      templateId: template.id,
    })
    await updateTemplate(ctx, { id: template.id, subject: 'Changed' })
    expect((await call(`GET /campaigns/${copied.id}`, undefined, as)).body.subject).toBe(content.subject)
    const query = `{ campaign(id: "${copied.id}") { subject template { id subject } } }`
    expect((await ask(query)).data).toEqual({ campaign: { subject: content.subject, template: { id: template.id, subject: 'Changed' } } })
  })

  test('is changed by what a template gives: with name and audience as a whole, otherwise only its content', async () => {
    const { template, as, create } = await withTemplate()
    const { id } = await create({
      templateId: undefined,
      subject: 'Old',
      body: 'Old',
      from: 'old@demo.test',
      description: 'Old',
      maxPerHour: 5,
    })
    const change = async (body: object) => (await call(`PUT /campaigns/${id}`, body, as)).body
    expect(await change({ templateId: template.id, subject: 'Mine' })).toMatchObject({
      ...content,
      subject: 'Mine',
      templateId: template.id,
      description: 'Old',
      maxPerHour: 5,
    })
    expect(await change({ subject: 'Other' })).toMatchObject({ subject: 'Other', templateId: template.id })
    expect(await change({ templateId: null })).toMatchObject({ ...content, subject: 'Other', templateId: null })
    expect(await change({ ...all, templateId: template.id })).toMatchObject({ ...content, description: null, maxPerHour: null })
    const whole = { ...all, subject: 'New', body: 'New', from: 'new@demo.test' }
    expect(await change(whole)).toMatchObject({ ...whole, templateId: null, fromName: null, type: 'MARKETING' })
  })

  test('is duplicated with its content and template, or with those of another template', async () => {
    const { ctx, template, as, create, ask } = await withTemplate()
    const other = await createTemplate(ctx, { subject: 'Other', body: '<p>Other</p>', from: 'other@demo.test', type: 'MARKETING' })
    const { id } = await create({ subject: 'Mine' })
    const copy = await call(`POST /campaigns/${id}/duplicate`, {}, as)
    expect(copy.body).toMatchObject({ ...content, subject: 'Mine', templateId: template.id, name: 'News (Copy)' })
    const mutation =
      'mutation ($input: DuplicateCampaignInput!) { duplicateCampaign(input: $input) { campaign { subject from type fromName template { id } } } }'
    const { data } = await ask(mutation, { input: { id, templateId: other.id } })
    const changed = { subject: 'Other', from: 'other@demo.test', type: 'MARKETING', fromName: null, template: { id: other.id } }
    expect(data).toEqual({ duplicateCampaign: { campaign: changed } })
  })

  test('404 TEMPLATE_NOT_FOUND for one that does not exist or is of another project, 422 without content, 403 for its sender', async () => {
    const { projectId, template, as, create, ask } = await withTemplate()
    const other = await withTemplate()
    const { id } = await create({})
    const codes = async (body: object) =>
      Promise.all(
        [
          call('POST /campaigns', { ...all, ...body }, as),
          call(`PUT /campaigns/${id}`, body, as),
          call(`POST /campaigns/${id}/duplicate`, body, as),
        ].map(async (answer) => (await answer).body.error?.code),
      )
    for (const templateId of ['tpl_x', other.template.id])
      expect(await codes({ templateId })).toEqual(Array.from({ length: 3 }, () => 'TEMPLATE_NOT_FOUND'))
    const { errors } = await ask('mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { campaign { id } } }', {
      input: { ...all, templateId: 'tpl_x' },
    })
    expect(errors[0]?.extensions.code).toBe('TEMPLATE_NOT_FOUND')
    const bare = await call('POST /campaigns', { ...all, templateId: null }, as)
    expect(bare.body.error.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['subject', 'required'],
      ['body', 'required'],
      ['from', 'required'],
    ])
    await world.db.prisma.template.updateMany({ where: { projectId, id: template.id }, data: { from: 'x@unknown.test' } })
    expect(await codes({ templateId: template.id })).toEqual(Array.from({ length: 3 }, () => 'DOMAIN_NOT_VERIFIED'))
  })

  test('keeps what it has copied when the template is deleted, also while that happens', async () => {
    const { ctx, template, as, create } = await withTemplate()
    const before = await create({})
    const made: { id: string }[] = []
    const making = Array.from({ length: 8 }, () => create({}).then((campaign) => campaign && made.push(campaign)))
    await deleteTemplate(ctx, { id: template.id })
    await Promise.all(making)
    for (const { id } of [before, ...made])
      expect((await call(`GET /campaigns/${id}`, undefined, as)).body).toMatchObject({ ...content, templateId: null })
    expect((await call(`POST /campaigns/${before.id}/duplicate`, {}, as)).body).toMatchObject({ ...content, templateId: null })
  })
})

describe('the usage of a template', () => {
  test('lists its campaigns, newest first, without deleted ones, and counts the emails that were sent with it', async () => {
    const { ctx, template, as, create, ask } = await withTemplate()
    await withContacts(ctx, 3)
    const [first, second, third] = [await create({ name: 'First' }), await create({ name: 'Second' }), await create({ name: 'Third' })]
    await drafted(ctx)
    await deleteCampaign(ctx, { id: third.id })
    const usage = async () => (await call(`GET /templates/${template.id}/usage`, undefined, as)).body
    const campaigns = [
      { id: second.id, name: 'Second' },
      { id: first.id, name: 'First' },
    ]
    expect(await usage()).toEqual({ campaigns, workflowSteps: [], emailsSent: 0 })
    await accept(ctx, { template: template.id, subject: undefined, body: undefined, from: undefined })
    await turnAndSweep(world, 0)
    await call(`POST /campaigns/${first.id}/send`, {}, as)
    const { sentCount } = await runUntil(world, ctx, first.id, 'SENT')
    await counted(world)
    expect(sentCount).toBeGreaterThanOrEqual(3)
    expect((await usage()).emailsSent).toBe(sentCount + 1)
    const listed = await call(`GET /campaigns?templateId=${template.id}`, undefined, as)
    expect([listed.body.total, listed.body.data.map(({ id }: { id: string }) => id)]).toEqual([2, [second.id, first.id]])
    const query = `{ template(id: "${template.id}") { usage { emailsSent campaigns(first: 1) { totalCount nodes { name } pageInfo { hasNextPage } } } } }`
    const page = { totalCount: 2, nodes: [{ name: 'Second' }], pageInfo: { hasNextPage: true } }
    expect((await ask(query)).data).toEqual({ template: { usage: { emailsSent: sentCount + 1, campaigns: page } } })
    const email = `{ emails(first: 1, filter: { campaignId: "${first.id}" }) { nodes { template { name } campaign { name } } } }`
    expect((await ask(email)).data).toEqual({ emails: { nodes: [{ template: { name: 'Welcome' }, campaign: { name: 'First' } }] } })
  })

  test('of many templates costs as many queries as that of few', async () => {
    const { ctx, ask } = await withTemplate()
    for (let at = 0; at < 6; at++) {
      const { id } = await createTemplate(ctx, content)
      await drafted(ctx, { templateId: id })
      await drafted(ctx, { templateId: id })
    }
    const query =
      'query ($first: Int) { templates(first: $first) { nodes { usage { emailsSent campaigns(first: 5) { totalCount nodes { name template { name } } } } } } }'
    const about = /campaign|template|emails/
    const ofFew = await fewestQueriesOf(() => ask(query, { first: 2 }), about)
    const ofMany = await fewestQueriesOf(() => ask(query, { first: 6 }), about)
    expect([ofFew.reply.errors, ofMany.reply.errors]).toEqual([[], []])
    expect(ofMany.queries).toBeLessThanOrEqual(ofFew.queries)
  })
})
