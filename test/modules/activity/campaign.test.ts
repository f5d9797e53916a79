import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/kit/ids.ts'
import { deleteCampaign } from '../../../src/modules/campaigns/changes.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { announceEvents } from '../../../src/modules/events/log.ts'
import { asker } from '../../help/ask.ts'
import { drafted } from '../../help/campaigns.ts'
import { logEvents } from '../../help/lines.ts'
import { bearer, connect, watching } from '../../help/live.ts'
import { sendingProject } from '../../help/mails.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { logSettled } from '../../help/world.ts'

const { call, url, world } = await testServer({ running: true })
const kinds = ['email.sent', 'email.open', 'email.click', 'email.failed']

/** A project with two campaigns of two emails each, of which all kinds of things have happened. */
async function filled() {
  const project = await sendingProject(world)
  const { ctx, projectId } = project
  const first = await drafted(ctx, { name: 'First' })
  const second = await drafted(ctx, { name: 'Second' })
  const now = () => world.clock.now()
  const contacts = [await upsertContact(ctx, { email: 'ada@example.com' }), await upsertContact(ctx, { email: 'bo@example.com' })]
  const emails = [first, second].flatMap(({ id: campaignId }) =>
    contacts.map(({ id: contactId, email }) => ({ id: newId('email', now()), campaignId, contactId, email })),
  )
  for (const { id, campaignId, contactId, email } of emails) {
    const [createdAt, updatedAt] = [now(), now()]
    const data = {
      projectId,
      id,
      campaignId,
      contactId,
      source: 'CAMPAIGN' as const,
      toAddress: email,
      subject: 'Hi',
      createdAt,
      updatedAt,
    }
    await world.db.prisma.email.create({ data })
    const lines = kinds.map((name) => ({ name, contactId, emailId: id, data: { campaignId } }))
    await logEvents(world, projectId, lines, now())
  }
  const others = [
    { name: 'signed-up', contactId: contacts[0]?.id ?? '', data: { campaignId: first.id } },
    { name: 'email.sent', contactId: contacts[0]?.id ?? '', data: { campaignId: null } },
    { name: 'campaign.scheduled', data: { campaignId: first.id, campaignName: 'First' } },
    { name: 'campaign.cancelled', data: { campaignId: first.id, campaignName: 'First' } },
  ]
  await logEvents(world, projectId, others, now())
  const get = async (query: string) => (await call(`GET /activity?${query}`, undefined, { key: project.secret })).body
  return { ...project, first, second, contacts, get, ask: asker(url, project.secret) }
}

const typesOf = ({ data }: { data: { type: string }[] }) => data.map(({ type }) => type)
const ofEmail = ['email.failed', 'email.clicked', 'email.opened', 'email.sent']

describe('activity of a campaign', () => {
  test('is what happened to it and to its emails, counted, and filtered by type, contact and time as well', async () => {
    const { first, second, contacts, get, ask } = await filled()
    const all = await get(`campaignId=${first.id}`)
    expect(typesOf(all)).toEqual(['event.triggered', 'campaign.scheduled', ...ofEmail, ...ofEmail])
    expect(all.total).toBe(10)
    expect(typesOf(await get(`campaignId=${second.id}`))).toEqual([...ofEmail, ...ofEmail])
    expect(typesOf(await get(`campaignId=${first.id}&types=email.opened,campaign.scheduled`))).toEqual([
      'campaign.scheduled',
      'email.opened',
      'email.opened',
    ])
    const ofBo = await get(`campaignId=${first.id}&contactId=${contacts[1]?.id}`)
    expect([typesOf(ofBo), ofBo.total]).toEqual([ofEmail, 4])
    const later = await get(`campaignId=${first.id}&startDate=${new Date(Date.now() + 60_000).toISOString()}`)
    expect([later.data, later.total]).toEqual([[], 0])
    const query = `{ activity(filter: { campaignId: "${first.id}" }, first: 3) { totalCount nodes { type campaign { name } } } }`
    const nodes = ['EVENT_TRIGGERED', 'CAMPAIGN_SCHEDULED', 'EMAIL_FAILED'].map((type) => ({ type, campaign: { name: 'First' } }))
    expect((await ask(query)).data).toEqual({ activity: { totalCount: 10, nodes } })
  })

  test('pages by cursor', async () => {
    const { first, get } = await filled()
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: { id: string }[]; cursor: string | null } = await get(
        `campaignId=${first.id}&limit=3${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.cursor
    }
    expect(seen).toEqual((await get(`campaignId=${first.id}`)).data.map(({ id }: { id: string }) => id))
  })

  test('is found behind thousands of lines of others, and behind very many in pages that may be empty', async () => {
    const { projectId, first, second, contacts, get } = await filled()
    const lines = Array.from({ length: 12_000 }, () => ({
      name: 'email.open',
      contactId: contacts[0]?.id ?? '',
      data: { campaignId: second.id },
    }))
    await logEvents(world, projectId, lines)
    const near = await get(`campaignId=${first.id}&types=email.opened`)
    expect([typesOf(near), near.hasMore]).toEqual([['email.opened', 'email.opened'], false])
    await logEvents(world, projectId, lines)
    const page = await get(`campaignId=${first.id}&types=email.opened`)
    expect(page).toMatchObject({ data: [], hasMore: true, total: 2 })
    const next = await get(`campaignId=${first.id}&types=email.opened&cursor=${page.cursor}`)
    expect([typesOf(next), next.hasMore]).toEqual([['email.opened', 'email.opened'], false])
  })

  test.each(['cmp_x', 'x', 'evt_00000000000000000000000000', "'; --"])('is nothing for %j, which is no campaign', async (id) => {
    const { get } = await filled()
    expect(await get(`campaignId=${encodeURIComponent(id)}`)).toEqual({ data: [], cursor: null, hasMore: false, total: 0 })
  })

  test('is nothing for a campaign of another project', async () => {
    const { first } = await filled()
    const { get } = await filled()
    expect((await get(`campaignId=${first.id}`)).data).toEqual([])
  })

  test('is streamed alone to a subscriber of the campaign', async () => {
    const { ctx, projectId, secret, first, second } = await filled()
    await logSettled(world)
    const before = await watching(world)
    const query = `subscription { activity(campaignId: "${first.id}") { type campaign { name } metadata } }`
    const live = connect(url, bearer(secret)).client.iterate<{ activity: object }>({ query })
    const next = live.next()
    await until(async () => (await watching(world)) === before + 1)
    await logEvents(world, projectId, [
      { name: 'email.sent', data: { campaignId: second.id } },
      { name: 'signed-up', data: { campaignId: first.id } },
      { name: 'email.click', data: { campaignId: first.id, link: 'https://example.com' } },
    ])
    announceEvents(ctx, projectId)
    const metadata = { campaignId: first.id, link: 'https://example.com' }
    expect((await next).value?.data).toEqual({ activity: { type: 'EMAIL_CLICKED', campaign: { name: 'First' }, metadata } })
  })
})

describe('Activity.campaign and Event.campaign', () => {
  const nested = '{ nodes { name campaign { name } } }'

  test('lead to the campaign; null for what was tracked, and once it has been deleted', async () => {
    const { ctx, first, ask } = await filled()
    const events = async () => {
      const { data } = await ask<{ events: { nodes: { name: string; campaign: object | null }[] } }>(`{ events(first: 5) ${nested} }`)
      return data?.events.nodes.map(({ name, campaign }) => [name, campaign])
    }
    const campaign = { name: 'First' }
    const own = [
      ['campaign.cancelled', campaign],
      ['campaign.scheduled', campaign],
      ['email.sent', null],
      ['signed-up', null],
    ]
    expect(await events()).toEqual([...own, ['email.failed', { name: 'Second' }]])
    await deleteCampaign(ctx, { id: first.id })
    expect(await events()).toEqual([...own.map(([name]) => [name, null]), ['email.failed', { name: 'Second' }]])
  })

  test.each([
    ['the feed', 'query ($first: Int) { activity(first: $first) { nodes { campaign { name } event { campaign { name } } } } }'],
    ['the log', `query ($first: Int) { events(first: $first) ${nested} }`],
    [
      'the feed of a campaign',
      'query ($first: Int, $id: ID) { activity(first: $first, filter: { campaignId: $id }) { nodes { campaign { name } } } }',
    ],
  ])('of %s cost as many queries for many as for few', async (_what, query) => {
    const { first: campaign, ask } = await filled()
    const about = /campaigns|events/
    const ofFew = await fewestQueriesOf(() => ask(query, { first: 2, id: campaign.id }), about)
    const ofMany = await fewestQueriesOf(() => ask(query, { first: 15, id: campaign.id }), about)
    expect([ofFew.reply.errors, ofMany.reply.errors]).toEqual([[], []])
    expect(ofMany.queries).toBeLessThanOrEqual(ofFew.queries)
    expect(ofMany.queries).toBeLessThanOrEqual(5)
  })
})
