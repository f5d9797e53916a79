import { describe, expect, test } from 'vitest'
import { previewAudience } from '../../../src/modules/campaigns/audience/preview.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { duplicateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import type { CampaignDraft } from '../../../src/modules/campaigns/shapes.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { asker } from '../../help/ask.ts'
import { drafted, runUntil, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const { call, url, world } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const condition = { field: 'data.plan', operator: 'equals', value: 'pro' } as const

/** A copy for those who have not opened a campaign, of six contacts two, and what GET answers of it. */
async function copied(draft: Partial<CampaignDraft> = {}) {
  const project = await sendingProject(world)
  const contacts = await withContacts(project.ctx, 6)
  const { id } = await drafted(project.ctx, draft)
  await sendCampaign(project.ctx, { id })
  await runUntil(world, project.ctx, id, 'SENT')
  const openers = contacts.slice(0, 4)
  await world.db.prisma.email.updateMany({ where: { projectId: project.projectId, contactId: { in: openers } }, data: { opens: 1 } })
  const copy = await duplicateCampaign(project.ctx, { id, audience: 'NOT_OPENED' })
  const got = await call(`GET /campaigns/${copy.id}`, undefined, { key: project.secret })
  const recipients = async () => (await previewAudience(project.ctx, { id: copy.id })).recipients
  return { ...project, id: copy.id, sourceId: id, got: got.body, recipients }
}

const required = ['name', 'subject', 'body', 'from', 'audienceType', 'segmentId', 'audienceFilter']

describe('a copy for a part of the recipients of a campaign', () => {
  test.each([
    ['ALL', {}, 2],
    ['FILTERED', { audienceType: 'FILTERED', audienceFilter: condition } as const, 1],
  ])('of the audience %s stays one when a PUT sends back what a GET answered', async (_type, draft, count) => {
    const { got, id, sourceId, secret: key, recipients } = await copied(draft)
    expect(await recipients()).toBe(count)
    const whole = Object.fromEntries(required.map((name) => [name, got[name]]))
    const put = await call(`PUT /campaigns/${id}`, { ...whole, name: 'Again' }, { key })
    expect([put.status, put.body]).toMatchObject([200, { name: 'Again', sourceCampaignId: sourceId, sourceOutcome: 'NOT_OPENED' }])
    await call(`PUT /campaigns/${id}`, { audienceType: got.audienceType, segmentId: null }, { key })
    expect(await recipients()).toBe(count)
  })

  test('is for another audience once it is given one', async () => {
    const { id, secret: key, recipients } = await copied()
    const put = await call(`PUT /campaigns/${id}`, { audienceType: 'FILTERED', audienceFilter: condition }, { key })
    expect([put.status, put.body, await recipients()]).toMatchObject([200, { sourceCampaignId: null, sourceOutcome: null }, 3])
  })
})

describe('a part of another audience', () => {
  test.each([
    ['segmentId', 'ALL', 'SEGMENT'],
    ['audienceFilter', 'ALL', 'FILTERED'],
    ['audienceFilter', 'SEGMENT', 'FILTERED'],
  ] as const)('%s is refused by a campaign to %s, and changes nothing', async (field, audienceType, owner) => {
    const { ctx, secret: key } = await sendingProject(world)
    const { id: segmentId } = await createSegment(ctx, { name: 'Pro', condition })
    const campaign = await drafted(ctx, { audienceType, ...(audienceType === 'SEGMENT' && { segmentId }) })
    const value = field === 'segmentId' ? segmentId : condition
    const { status, body } = await call(`PUT /campaigns/${campaign.id}`, { [field]: value, name: 'New' }, { key })
    expect([status, body.error.errors]).toEqual([422, [{ field, message: `belongs to the audience ${owner}`, code: 'not_allowed' }]])
    expect(await getCampaign(ctx, campaign)).toEqual(campaign)
    const ok = await call(`PUT /campaigns/${campaign.id}`, { [field]: null, name: 'New' }, { key })
    expect([ok.status, ok.body.name]).toEqual([200, 'New'])
  })

  test('is refused in GraphQL, and where a campaign is created', async () => {
    const { ctx, secret: key } = await sendingProject(world)
    const { id: segmentId } = await createSegment(ctx, { name: 'Pro', condition })
    const { id } = await drafted(ctx)
    const { errors } = await asker(
      url,
      key,
    )(`mutation { updateCampaign(input: { id: "${id}", segmentId: "${segmentId}" }) { campaign { id } } }`)
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_ERROR' } }])
    const draft = { name: 'N', subject: 'S', body: 'B', from: 'news@demo.test', audienceType: 'ALL', segmentId }
    const created = await call('POST /campaigns', draft, { key })
    expect([created.status, created.body.error?.errors[0].field]).toEqual([422, 'segmentId'])
    expect(await world.db.prisma.campaign.count({ where: { projectId: ctx.projectId } })).toBe(1)
  })
})
