import { expect, test } from 'vitest'
import { createCampaign } from '../../../src/modules/campaigns/changes.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { sendingProject } from '../../help/mails.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'

const { world, url, call } = await testServer()
const saying = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
})
const draft = { name: 'News', subject: 'Hi', from: 'news@demo.test', audienceType: 'ALL' as const }
const create = graphql(`
  mutation CreateVisualCampaign($input: CreateCampaignInput!) {
    createCampaign(input: $input) { campaign { id mode body document updatedAt } }
  }
`)
const update = graphql(`
  mutation UpdateVisualCampaign($input: UpdateCampaignInput!) {
    updateCampaign(input: $input) { campaign { mode body document } }
  }
`)

async function project() {
  const { ctx, secret } = await sendingProject(world)
  return { ctx, as: { key: secret }, ask: asker(url, secret) }
}

async function withVisual() {
  const { ctx, as, ask } = await project()
  const { data, errors } = await ask(create, { input: { ...draft, document: saying('Hello') } })
  expect(errors).toEqual([])
  const campaign = data?.createCampaign.campaign
  return { ctx, as, ask, id: campaign?.id ?? '', campaign }
}

test('a visual campaign is created and changed by its document, shown, duplicated, and made HTML', async () => {
  const { ask, id, campaign } = await withVisual()
  expect(campaign).toMatchObject({ mode: 'VISUAL', document: saying('Hello'), body: expect.stringContaining('>Hello</p>') })
  const { data } = await ask(update, { input: { id, document: saying('Bye'), ifUpdatedAt: campaign?.updatedAt ?? '' } })
  expect(data?.updateCampaign.campaign).toEqual({
    mode: 'VISUAL',
    document: saying('Bye'),
    body: expect.stringContaining('>Bye</p>'),
  })
  const preview = graphql(`query PreviewOfCampaign($input: PreviewEmailInput!) { previewEmail(input: $input) { subject text } }`)
  const shown = async (input: object) => (await ask(preview, { input })).data?.previewEmail
  expect(await shown({ campaignId: id })).toEqual({ subject: 'Hi', text: expect.stringMatching(/^Bye/) })
  expect(await shown({ campaignId: id, document: saying('Not saved') })).toEqual({
    subject: 'Hi',
    text: expect.stringMatching(/^Not saved/),
  })
  const copy = await ask(`mutation { duplicateCampaign(input: { id: "${id}" }) { campaign { mode document } } }`)
  expect(copy.data).toEqual({ duplicateCampaign: { campaign: { mode: 'VISUAL', document: saying('Bye') } } })
  const html = await ask(update, { input: { id, mode: 'HTML' } })
  expect(html.data?.updateCampaign.campaign).toEqual({ mode: 'HTML', document: null, body: expect.stringContaining('>Bye</p>') })
})

test('REST shows and changes its HTML: the same leaves it visual, also where all is replaced, another makes it HTML', async () => {
  const { as, ask, id, campaign } = await withVisual()
  const put = async (change: object) => (await call(`PUT /campaigns/${id}`, { ...draft, ...change }, as)).body
  const read = async () => (await ask(`{ campaign(id: "${id}") { mode document } }`)).data
  const same = await put({ body: campaign?.body })
  expect([same.body, 'mode' in same, 'document' in same]).toEqual([campaign?.body, false, false])
  await put({ body: undefined, document: saying('By REST') })
  expect(await read()).toEqual({ campaign: { mode: 'VISUAL', document: saying('Hello') } })
  expect((await put({ body: '<p>Mine</p>' })).body).toBe('<p>Mine</p>')
  expect(await read()).toEqual({ campaign: { mode: 'HTML', document: null } })
})

test('a campaign of a visual template has its document, also one that REST creates', async () => {
  const { ctx, as, ask } = await project()
  const { id: templateId, body } = await createTemplate(ctx, { subject: 'T', document: saying('Of the template'), from: 'hello@demo.test' })
  const made = (await call('POST /campaigns', { name: 'News', audienceType: 'ALL', templateId }, as)).body.data
  expect(made.body).toBe(body)
  const { data } = await ask(`{ campaign(id: "${made.id}") { mode document } }`)
  expect(data).toEqual({ campaign: { mode: 'VISUAL', document: saying('Of the template') } })
})

test('a list reads documents only where they are asked for, and then all in one statement', async () => {
  const { ctx, as, ask } = await project()
  for (let at = 0; at < 6; at++) await createCampaign(ctx, { ...draft, document: saying(`No ${at}`) })
  const documents = /document/
  const listed = await fewestQueriesOf(() => ask('{ campaigns(first: 6) { nodes { id mode body } } }'), documents)
  expect([listed.reply.errors, listed.queries]).toEqual([[], 0])
  const byRest = await fewestQueriesOf(() => call('GET /campaigns', undefined, as), documents)
  expect([byRest.reply.body.data.length, byRest.queries]).toEqual([6, 0])
  const asked = await fewestQueriesOf(() => ask('{ campaigns(first: 6) { nodes { document } } }'), documents)
  expect(asked.reply.data).toEqual({ campaigns: { nodes: [5, 4, 3, 2, 1, 0].map((at) => ({ document: saying(`No ${at}`) })) } })
  expect(asked.queries).toBe(1)
})

test('of several large documents the first 4 MB are answered, and PAYLOAD_TOO_LARGE stands beside the others', async () => {
  const { ctx, ask } = await project()
  for (let at = 0; at < 5; at++) await createCampaign(ctx, { ...draft, document: saying('x'.repeat(1_000_000)) })
  const { data, errors } = await ask<{ campaigns: { nodes: { document: unknown }[] } }>('{ campaigns(first: 5) { nodes { document } } }')
  expect(data?.campaigns.nodes.map(({ document }) => document !== null)).toEqual([true, true, true, true, false])
  expect(errors.map(({ path, extensions }) => [path, extensions.code])).toEqual([
    [['campaigns', 'nodes', 4, 'document'], 'PAYLOAD_TOO_LARGE'],
  ])
})

test('a change is refused for an HTML campaign, for one of another project, and when it has changed meanwhile; nothing is changed', async () => {
  const { ask, id, campaign } = await withVisual()
  const other = await project()
  const ofHtml = await createCampaign(other.ctx, { ...draft, body: '<p>HTML</p>' })
  const codeOf = async (asking: typeof ask, input: object) => (await asking(update, { input } as never)).errors[0]?.extensions
  const document = saying('Changed')
  expect(await codeOf(other.ask, { id: ofHtml.id, document })).toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'document', message: 'is refused for an HTML campaign' }],
  })
  expect(await codeOf(other.ask, { id, document })).toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  expect(await codeOf(ask, { id, document, ifUpdatedAt: '2020-01-01T00:00:00.000Z' })).toMatchObject({ code: 'CONFLICT' })
  expect(await codeOf(ask, { id, document, body: 'x' })).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'document' }] })
  const { data } = await ask(`{ campaign(id: "${id}") { mode body document } }`)
  expect(data).toEqual({ campaign: { mode: 'VISUAL', body: campaign?.body, document: saying('Hello') } })
})

test.each<[string, object, string]>([
  ['neither body nor document', {}, 'body'],
  ['both', { body: 'x', document: saying('x') }, 'document'],
  ['a node that is not known', { document: { type: 'doc', content: [{ type: 'iframe' }] } }, 'document.content.0.type'],
])('refuses %s with the field that is wrong', async (_what, part, field) => {
  const { ask } = await project()
  const { errors } = await ask(create, { input: { ...draft, ...part } })
  expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field }] })
})
