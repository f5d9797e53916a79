import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { updateProject } from '../../../../src/modules/projects/projects.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { drafted } from '../../../help/campaigns.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })

test('an email leaves with what its project, its template and its campaign add', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await updateProject(ctx, { id: projectId, tracking: 'DISABLED', utm: { source: 'news', medium: 'email', campaign: 'May' } })
  const body = '<body><a href="https://example.com/x">x</a></body>'
  const template = await createTemplate(ctx, { subject: 'Hi', previewText: 'For you', body, from: 'hello@demo.test', type: 'HEADLESS' })
  const { id } = await accept(ctx, { template: template.id, from: undefined, subject: undefined, body: undefined, subscribed: true })
  const { id: campaignId } = await drafted(ctx)
  await world.db.prisma.campaign.updateMany({ where: { projectId }, data: { status: 'SENDING', stage: 'DELIVER' } })
  await world.db.prisma.email.update({ where: { projectId_id: { projectId, id } }, data: { source: 'CAMPAIGN', campaignId } })
  await turnAndSweep(world, 0)
  const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
  const { html, text, headers } = await PostalMime.parse(Buffer.from(mail?.raw ?? ''))
  expect(html).toMatch(/^<body><div style="display:none[^>]+>For you&#847;/)
  expect(html).toContain('<a href="https://example.com/x?utm_source=news&amp;utm_medium=email&amp;utm_campaign=May">')
  expect(text).not.toContain('For you')
  const shown = Object.fromEntries(headers.map(({ key, value }) => [key, value]))
  expect(shown).toMatchObject({
    precedence: 'bulk',
    'auto-submitted': 'auto-generated',
    'feedback-id': `${campaignId}:${projectId}:HEADLESS:postwire`,
  })
  expect((await logOf(ctx)).find(({ name }) => name === 'email.sent')?.data).toMatchObject({ campaignId, sourceType: 'CAMPAIGN' })
})
