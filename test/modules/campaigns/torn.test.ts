import { expect, test } from 'vitest'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { createCampaign, duplicateCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { createTemplate, duplicateTemplate, getTemplate, listTemplates, updateTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const { world, url } = await testServer()
const { ctx, secret } = await sendingProject(world)
const ask = asker(url, secret)
const from = 'news@demo.test'
const saying = (n: number) => ({
  subject: `n${n}`,
  document: { type: 'doc' as const, content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text: `n${n}` }] }] },
})
const template = await createTemplate(ctx, { name: 'Saved often', from, ...saying(0) })
const campaign = await createCampaign(ctx, { name: 'Saved often', from, audienceType: 'ALL', ...saying(0) })

const shown = async (kind: 'template' | 'campaign', id: string, fields: string) =>
  (await ask(`{ ${kind}(id: "${id}") { ...on Node { id } ${fields} } }`)).data
// The copies that other tests make are newer.
const listed = async (kind: 'template' | 'campaign', fields: string) => {
  const { data } = await ask<Record<string, { nodes?: { id: string }[]; edges?: { node: { id: string } }[] }>>(
    `{ ${kind}s(first: 10, filter: { search: "Saved often" }) ${fields} }`,
  )
  const page = data?.[`${kind}s`]
  const nodes = page?.nodes ?? page?.edges?.map(({ node }) => node)
  return nodes?.find(({ id }) => id === (kind === 'template' ? template : campaign).id)
}
const documentsOf = async ({ id }: { id: string }, table: 'template' | 'campaign') => {
  const query = { where: { projectId_id: { projectId: ctx.projectId, id } }, select: { subject: true, body: true, document: true } }
  return table === 'template' ? world.db.prisma.template.findUnique(query) : world.db.prisma.campaign.findUnique(query)
}

async function sent() {
  const { emails } = await sendEmail(ctx, { to: [{ email: 'ada@example.com', name: null }], template: template.id })
  const where = { projectId_id: { projectId: ctx.projectId, id: emails[0]?.email ?? '' } }
  return world.db.prisma.email.findUnique({ where, select: { content: { select: { subject: true, html: true } } } })
}

const reads: Record<string, () => Promise<unknown>> = {
  'a template': () => getTemplate(ctx, template),
  'a list of templates': async () => (await listTemplates(ctx, { page: 1, pageSize: 20 })).data.find(({ id }) => id === template.id),
  'a template in GraphQL': () => shown('template', template.id, 'subject body'),
  'a template with its document in GraphQL': () => shown('template', template.id, 'subject body document'),
  'a list of templates in GraphQL': () => listed('template', '{ nodes { id subject body document } }'),
  'edges of templates in GraphQL': () => listed('template', '{ edges { node { id subject ... on Template { body } } } }'),
  'a list of campaigns in GraphQL': () => listed('campaign', '{ nodes { id subject body } }'),
  'a copy of a template': async () => documentsOf(await duplicateTemplate(ctx, template), 'template'),
  'an email of a template': sent,
  'a campaign of a template': async () =>
    documentsOf(await createCampaign(ctx, { name: 'Copied', audienceType: 'ALL', templateId: template.id }), 'campaign'),
  'a campaign': () => getCampaign(ctx, campaign),
  'a campaign in GraphQL': () => shown('campaign', campaign.id, 'subject body'),
  'a campaign with its document in GraphQL': () => shown('campaign', campaign.id, 'subject document'),
  'a copy of a campaign': async () => documentsOf(await duplicateCampaign(ctx, { id: campaign.id }), 'campaign'),
}

test.each(Object.keys(reads))('%s never has the subject of one save and the body of another', async (name) => {
  const read = reads[name] ?? expect.fail('no such read')
  let saving = true
  const save = async () => {
    for (let n = 1; saving; n++)
      await Promise.all([updateTemplate(ctx, { id: template.id, ...saying(n) }), updateCampaign(ctx, { id: campaign.id, ...saying(n) })])
  }
  const saved = save()
  const seen: number[] = []
  try {
    for (let round = 0; round < 100; round++) seen.push(new Set(JSON.stringify(await read()).match(/\bn\d+\b/g)).size)
  } finally {
    saving = false
    await saved
  }
  expect(seen).toEqual(Array(100).fill(1))
})
