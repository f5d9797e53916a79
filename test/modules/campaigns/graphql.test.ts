import { describe, expect, test } from 'vitest'
import { createCampaign } from '../../../src/modules/campaigns/changes.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const { world, url, call } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const draft = {
  name: 'News',
  description: 'Monthly',
  subject: 'S',
  previewText: 'P',
  body: 'B',
  from: 'news@demo.test',
  replyTo: 'help@demo.test',
  type: 'HEADLESS' as const,
  audienceType: 'ALL' as const,
  maxPerHour: 10,
}

async function project() {
  const { ctx, secret, projectId } = await sendingProject(world)
  return { ctx, secret, projectId, ask: asker(url, secret) }
}

const preview = graphql(`
  query AudiencePreview($input: AudiencePreviewInput!) {
    audiencePreview(input: $input) { recipients excluded { reason count } }
  }
`)
const update = graphql(`
  mutation PatchCampaign($input: UpdateCampaignInput!) {
    updateCampaign(input: $input) { campaign { name description subject previewText from replyTo type maxPerHour updatedAt } }
  }
`)

describe('audiencePreview', () => {
  test('counts an audience before there is a campaign, by the rules of its type', async () => {
    const { ctx, ask } = await project()
    for (const [name, plan, subscribed] of [
      ['ada', 'pro', true],
      ['bob', 'pro', false],
      ['eve', 'free', true],
    ] as const)
      await upsertContact(ctx, { email: `${name}@example.com`, data: { plan }, subscribed })
    const pro = { field: 'data.plan', operator: 'EQUALS' as const, value: 'pro' }
    const { id } = await createSegment(ctx, { name: 'Pro', condition: { ...pro, operator: 'equals' } })
    const counted = async (input: object) => (await ask(preview, { input } as never)).data?.audiencePreview
    expect(await counted({ audienceType: 'ALL' })).toEqual({ recipients: 2, excluded: [{ reason: 'UNSUBSCRIBED', count: 1 }] })
    expect(await counted({ audienceType: 'ALL', type: 'TRANSACTIONAL' })).toEqual({ recipients: 3, excluded: [] })
    const one = { recipients: 1, excluded: [{ reason: 'UNSUBSCRIBED', count: 1 }] }
    expect(await counted({ audienceType: 'SEGMENT', segmentId: id })).toEqual(one)
    expect(await counted({ audienceType: 'FILTERED', condition: pro })).toEqual(one)
  })

  test('refuses an audience that is not complete, and a segment of another project', async () => {
    const { ask } = await project()
    const other = await project()
    const { id } = await createSegment(other.ctx, { name: 'All', type: 'STATIC' })
    const refused = async (input: object) => (await ask(preview, { input } as never)).errors[0]
    expect(await refused({ audienceType: 'SEGMENT' })).toMatchObject({ extensions: { code: 'VALIDATION_ERROR' } })
    expect(await refused({ audienceType: 'FILTERED' })).toMatchObject({ extensions: { errors: [{ field: 'condition' }] } })
    expect(await refused({ audienceType: 'SEGMENT', segmentId: id })).toMatchObject({ extensions: { code: 'SEGMENT_NOT_FOUND' } })
  })
})

describe('updateCampaign', () => {
  test('changes only what is given, also when that is all that a campaign needs; PUT replaces', async () => {
    const { ctx, ask, secret } = await project()
    const { id } = await createCampaign(ctx, draft)
    const required = { name: 'N', subject: 'T', body: 'C', from: 'new@demo.test', audienceType: 'ALL' as const }
    const { data } = await ask(update, { input: { id, ...required } })
    expect(data?.updateCampaign.campaign).toMatchObject({
      ...{ name: 'N', subject: 'T', from: 'new@demo.test' },
      ...{ description: 'Monthly', previewText: 'P', replyTo: 'help@demo.test', type: 'HEADLESS', maxPerHour: 10 },
    })
    const emptied = await ask(update, { input: { id, description: null, previewText: null, replyTo: null, maxPerHour: null } })
    expect(emptied.data?.updateCampaign.campaign).toMatchObject({ description: null, previewText: null, replyTo: null, maxPerHour: null })
    await ask(update, { input: { id, description: 'Again' } })
    const { body } = await call(`PUT /campaigns/${id}`, required, { key: secret })
    expect(body).toMatchObject({ description: null, type: 'MARKETING' })
  })
})

test('sendCampaign takes a moment, and duplicateCampaign says which recipients of the source', async () => {
  const { ctx, ask } = await project()
  const { id } = await createCampaign(ctx, draft)
  const send = graphql(`
    mutation ScheduleCampaign($input: SendCampaignInput!) { sendCampaign(input: $input) { campaign { status scheduledAt } } }
  `)
  const at = new Date(world.clock.now().getTime() + 3_600_000).toISOString()
  const { data } = await ask(send, { input: { id, scheduledAt: at } })
  expect(data?.sendCampaign.campaign).toEqual({ status: 'SCHEDULED', scheduledAt: at })
  expect((await ask(send, { input: { id, scheduledAt: 'tomorrow' } })).errors[0]?.message).toMatch(
    /at "scheduledAt": A DateTime must be an ISO 8601 date/,
  )
  const past = await ask(send, { input: { id, scheduledAt: '2020-01-01T00:00:00.000Z' } })
  expect(past.errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
  const copy = await ask(`mutation { duplicateCampaign(input: { id: "${id}", sourceOutcome: FAILED }) { campaign { id } } }`)
  expect(copy.errors[0]).toMatchObject({
    extensions: { code: 'CONFLICT' },
    message: 'This campaign was not sent: it has no recipients yet.',
  })
})

test('campaigns are found by several states', async () => {
  const { ctx, ask } = await project()
  const { id } = await createCampaign(ctx, draft)
  const { id: other } = await createCampaign(ctx, draft)
  await world.db.prisma.campaign.updateMany({ where: { projectId: ctx.projectId, id: other }, data: { status: 'SENT' } })
  const list = graphql(`query CampaignsInStates($filter: CampaignFilter) { campaigns(filter: $filter) { totalCount nodes { id } } }`)
  const found = async (statuses: ('DRAFT' | 'SENT' | 'SENDING')[]) =>
    (await ask(list, { filter: { statuses } })).data?.campaigns.nodes.map((one) => one.id)
  expect(await found(['DRAFT', 'SENT'])).toEqual([other, id])
  expect(await found(['SENDING', 'SENT'])).toEqual([other])
})

test('sendTemplateTest sends a template as a test, rendered for a contact', async () => {
  const { ctx, ask, projectId } = await project()
  const { id: templateId } = await createTemplate(ctx, { subject: 'Hi {{ name }}', body: 'B', from: 'news@demo.test' })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com', data: { name: 'Ada' } })
  const send = graphql(`mutation SendTemplateTest($input: SendTemplateTestInput!) { sendTemplateTest(input: $input) { message } }`)
  const { data } = await ask(send, { input: { id: templateId, email: 'me@example.com', contactId } })
  expect(data?.sendTemplateTest.message).toBe('Test email sent to me@example.com')
  const mails = await world.db.prisma.capturedMail.findMany({ where: { projectId }, select: { subject: true, to: true } })
  expect(mails).toEqual([{ subject: '[TEST] Hi Ada', to: ['me@example.com'] }])
  const code = async (input: object) => (await ask(send, { input } as never)).errors[0]?.extensions.code
  expect(await code({ id: templateId, email: 'me@example.com', contactId: 'cnt_x' })).toBe('CONTACT_NOT_FOUND')
  expect(await code({ id: 'tpl_x', email: 'me@example.com' })).toBe('TEMPLATE_NOT_FOUND')
  expect(await code({ id: templateId, email: 'not an address' })).toBe('VALIDATION_ERROR')
})
