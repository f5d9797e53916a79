import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { getCampaign, getCampaignDocument } from '../../../src/modules/campaigns/campaigns.ts'
import { createCampaign, duplicateCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { CampaignPatch, WrittenCampaignDraft } from '../../../src/modules/campaigns/shapes.ts'
import { createTemplate, updateTemplate } from '../../../src/modules/templates/templates.ts'
import { drafted, runUntil, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
const said = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
})
const draft = { name: 'News', subject: 'S', from: 'news@demo.test', audienceType: 'ALL' as const }
const isHtml = {
  code: 'VALIDATION_ERROR',
  message: 'This campaign is written in HTML, which cannot become a visual document.',
}

type Stored = Parameters<typeof getCampaignDocument>[1]

async function readDocument(...call: Parameters<typeof getCampaignDocument>): Promise<unknown> {
  return (await getCampaignDocument(...call))?.toJSON() ?? null
}

async function withVisual() {
  const { ctx, projectId } = await sendingProject(world)
  const campaign = await createCampaign(ctx, { ...draft, document: said('Hello {{ name }}') })
  const documentOf = (one: Stored) => readDocument(ctx, one)
  return { ctx, projectId, id: campaign.id, campaign, documentOf }
}

describe('a visual campaign', () => {
  test('has the HTML of its document as its body, also after a change of it, and sends it', async () => {
    const { ctx, projectId, id, campaign, documentOf } = await withVisual()
    expect(campaign).toMatchObject({ mode: 'VISUAL', body: expect.stringContaining("Hello {{ '{' }}{ name }}") })
    expect(await documentOf(campaign)).toEqual(said('Hello {{ name }}'))
    const changed = await updateCampaign(ctx, { id, document: said('Bye') })
    expect(changed).toMatchObject({ mode: 'VISUAL', body: expect.stringContaining('Bye') })
    expect(await documentOf(changed)).toEqual(said('Bye'))
    await withContacts(ctx, 1)
    await sendCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    const mails = await world.db.prisma.capturedMail.findMany({ where: { projectId }, select: { raw: true } })
    const sent = await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)))
    expect(sent).toMatchObject([{ html: expect.stringContaining('>Bye</p>'), text: expect.stringMatching(/^Bye/) }])
  })

  test('becomes HTML by another body, not by the same, nor by what else is changed', async () => {
    const { ctx, id, campaign, documentOf } = await withVisual()
    expect(await updateCampaign(ctx, { id, body: campaign.body, name: 'Same', maxPerHour: 5 })).toMatchObject({ mode: 'VISUAL' })
    expect(await documentOf(campaign)).toEqual(said('Hello {{ name }}'))
    const html = await updateCampaign(ctx, { id, body: '<p>Mine</p>' })
    expect(html).toMatchObject({ mode: 'HTML', body: '<p>Mine</p>', name: 'Same' })
    expect(await documentOf({ id, mode: 'VISUAL' })).toBeNull()
  })

  test('becomes HTML with the HTML it has by the mode HTML; HTML does not become visual, and nothing of such a change is stored', async () => {
    const { ctx, id, campaign, documentOf } = await withVisual()
    expect(await updateCampaign(ctx, { id, mode: 'VISUAL' })).toMatchObject({ mode: 'VISUAL' })
    expect(await updateCampaign(ctx, { id, mode: 'HTML' })).toMatchObject({ mode: 'HTML', body: campaign.body })
    expect(await documentOf({ id, mode: 'VISUAL' })).toBeNull()
    for (const change of [{ mode: 'VISUAL' as const }, { document: said('x') }])
      await expect(updateCampaign(ctx, { id, name: 'Other', ...change })).rejects.toMatchObject(isHtml)
    expect(await getCampaign(ctx, { id })).toMatchObject({ name: 'News', mode: 'HTML', body: campaign.body })
  })

  test('that becomes HTML while its document is changed is HTML, whichever comes first', async () => {
    const { ctx, id } = await withVisual()
    for (let round = 0; round < 5; round++) {
      const { id: copy } = await duplicateCampaign(ctx, { id })
      const changes = [{ mode: 'HTML' as const }, { document: said('Late') }].map((change) => updateCampaign(ctx, { id: copy, ...change }))
      for (const { status, reason } of (await Promise.allSettled(changes)) as { status: string; reason?: object }[])
        expect(status === 'fulfilled' || reason).toSatisfy((one) => one === true || (one as { code: string }).code === 'VALIDATION_ERROR')
      const { mode } = await getCampaign(ctx, { id: copy })
      expect([mode, await readDocument(ctx, { id: copy, mode: 'VISUAL' })]).toEqual(['HTML', null])
    }
  })

  test('is duplicated with its document, also for a part of its recipients', async () => {
    const { ctx, id, campaign, documentOf } = await withVisual()
    const copy = await duplicateCampaign(ctx, { id })
    expect(copy).toMatchObject({ mode: 'VISUAL', body: campaign.body, status: 'DRAFT' })
    await withContacts(ctx, 2)
    await sendCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    const part = await duplicateCampaign(ctx, { id, audience: 'NOT_OPENED' })
    expect(part).toMatchObject({ mode: 'VISUAL', sourceOutcome: 'NOT_OPENED', sourceCampaignId: id })
    for (const one of [copy, part]) expect(await documentOf(one)).toEqual(said('Hello {{ name }}'))
  })

  test('is frozen while it is sent, and afterwards', async () => {
    const { ctx, id, campaign, documentOf } = await withVisual()
    await withContacts(ctx, 2)
    await sendCampaign(ctx, { id })
    const refuseAll = async () => {
      for (const change of [{ document: said('Late') }, { mode: 'HTML' as const }, { body: '<p>Late</p>' }])
        await expect(updateCampaign(ctx, { id, ...change })).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    await refuseAll()
    await runUntil(world, ctx, id, 'SENT')
    await refuseAll()
    expect(await getCampaign(ctx, { id })).toMatchObject({ mode: 'VISUAL', body: campaign.body })
    expect(await documentOf(campaign)).toEqual(said('Hello {{ name }}'))
  })

  test('is not found in another project, and has pictures of https addresses and of its own project only', async () => {
    const { ctx, projectId, id, campaign } = await withVisual()
    const { ctx: other } = await sendingProject(world)
    await expect(updateCampaign(other, { id, document: said('x') })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    await expect(duplicateCampaign(other, { id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    expect(await readDocument(other, campaign)).toBeNull()
    const showing = (src: string) => ({ type: 'doc' as const, content: [{ type: 'image' as const, attrs: { src } }] })
    const own = `${world.publicUrl}/uploads/${projectId}/upl_1.png`
    const changed = await updateCampaign(ctx, { id, document: showing(own) })
    expect(changed.body).toContain(own)
    for (const src of ['http://example.com/a.png', `${world.publicUrl}/uploads/${other.projectId}/upl_1.png`])
      await expect(updateCampaign(ctx, { id, document: showing(src) })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    expect((await getCampaign(ctx, { id })).body).toBe(changed.body)
  })
})

describe('a campaign with a visual template', () => {
  async function withTemplates() {
    const { ctx } = await sendingProject(world)
    const visual = await createTemplate(ctx, { subject: 'T', document: said('Of the template'), from: 'hello@demo.test' })
    const html = await createTemplate(ctx, { subject: 'T', body: '<p>HTML</p>', from: 'hello@demo.test' })
    return { ctx, visual, html, templateId: visual.id, all: { name: 'News', audienceType: 'ALL' as const } }
  }

  test('takes its document, unless another body or document is given', async () => {
    const { ctx, visual, html, templateId, all } = await withTemplates()
    const taken = await createCampaign(ctx, { ...all, templateId })
    expect(taken).toMatchObject({ mode: 'VISUAL', body: visual.body, templateId })
    await updateTemplate(ctx, { id: templateId, document: said('Later') })
    expect(await readDocument(ctx, taken)).toEqual(said('Of the template'))
    expect(await createCampaign(ctx, { ...all, templateId, body: '<p>Mine</p>' })).toMatchObject({ mode: 'HTML', body: '<p>Mine</p>' })
    const own = await createCampaign(ctx, { ...all, templateId: html.id, document: said('Mine') })
    expect(await readDocument(ctx, own)).toEqual(said('Mine'))
    const copy = await duplicateCampaign(ctx, { id: own.id, templateId })
    expect(await readDocument(ctx, copy)).toEqual(said('Later'))
    expect(await duplicateCampaign(ctx, { id: own.id, templateId: html.id })).toMatchObject({ mode: 'HTML', body: '<p>HTML</p>' })
  })

  test('becomes what it takes, in HTML or visual; a body that stays keeps its own document', async () => {
    const { ctx, visual, html, templateId } = await withTemplates()
    const { id } = await drafted(ctx)
    expect(await updateCampaign(ctx, { id, templateId })).toMatchObject({ mode: 'VISUAL', body: visual.body })
    const mine = await updateCampaign(ctx, { id, document: said('Mine') })
    await updateCampaign(ctx, { id, templateId, body: mine.body })
    expect(await readDocument(ctx, { id, mode: 'VISUAL' })).toEqual(said('Mine'))
    await expect(updateCampaign(ctx, { id, templateId: html.id, mode: 'VISUAL' })).rejects.toMatchObject(isHtml)
    expect(await updateCampaign(ctx, { id, templateId: html.id })).toMatchObject({ mode: 'HTML', body: '<p>HTML</p>' })
    await expect(updateCampaign(ctx, { id, templateId: html.id, document: said('x') })).rejects.toMatchObject(isHtml)
    expect(await updateCampaign(ctx, { id, templateId, document: said('Both') })).toMatchObject({ mode: 'VISUAL' })
    expect(await updateCampaign(ctx, { id, templateId, mode: 'HTML' })).toMatchObject({
      mode: 'HTML',
      body: expect.stringContaining('Of the'),
    })
    expect(await readDocument(ctx, { id, mode: 'VISUAL' })).toBeNull()
  })
})

test.each<[string, object, string, string]>([
  ['neither body nor document', {}, 'body', 'is required without a template'],
  ['both', { body: 'x', document: said('x') }, 'document', 'cannot be given together with `body` or the mode HTML'],
  ['a node that is not known', { document: { type: 'doc', content: [{ type: 'iframe' }] } }, 'document.content.0.type', 'must be a node'],
  [
    'more than 100,000 characters',
    { document: said('x'.repeat(100_001)) },
    'document',
    'must have at most 5,000 nodes and marks, and 100,000 characters',
  ],
])('a campaign of %s is refused with the field that is wrong', (_what, part, field, message) => {
  const { error } = WrittenCampaignDraft.safeParse({ ...draft, ...part })
  expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, expect.stringContaining(message)]])
})

test('a change has a document without a body, and without the mode HTML', () => {
  for (const part of [{ body: 'x' }, { mode: 'HTML' }])
    expect(CampaignPatch.safeParse({ id: 'x', document: said('x'), ...part }).success).toBe(false)
})
