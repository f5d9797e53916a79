import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { asker } from '../../help/ask.ts'
import { drafted, withContacts } from '../../help/campaigns.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { bearer, connect } from '../../help/live.ts'
import { sendingProject } from '../../help/mails.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'

const { call, url, world } = await testServer({ worker: true, running: true, env: { EMAIL_TRANSPORT: 'capture' } })
const draft = { name: 'News', subject: 'Hi {{ name }}', body: '<p>Hi</p>', from: 'news@demo.test', audienceType: 'ALL' }

describe('POST /campaigns', () => {
  test('201 answers the draft, wrapped', async () => {
    const { secret: key } = await sendingProject(world)
    const answer = await call('POST /campaigns', draft, { key })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        success: true,
        data: expect.objectContaining({
          id: expect.stringMatching(/^cmp_/),
          status: 'DRAFT',
          type: 'MARKETING',
          scheduledAt: null,
          sentCount: 0,
        }),
      },
    ])
    const got = await call(`GET /campaigns/${answer.body.data.id}`, undefined, { key })
    expect([got.status, got.body]).toEqual([200, answer.body.data])
  })

  test.each([
    ['no subject', { ...draft, subject: undefined }, 422, 'subject'],
    ['a subject of two lines', { ...draft, subject: 'a\nb' }, 422, 'subject'],
    ['Liquid that does not parse', { ...draft, body: '{% if %}' }, 422, 'body'],
    ['a preview text that does not parse', { ...draft, previewText: '{{ x' }, 422, 'previewText'],
    ['a segment audience without a segment', { ...draft, audienceType: 'SEGMENT' }, 422, 'segmentId'],
    ['a filtered audience without a condition', { ...draft, audienceType: 'FILTERED' }, 422, 'audienceFilter'],
    [
      'a condition that is wrong',
      { ...draft, audienceType: 'FILTERED', audienceFilter: { field: 'x', operator: 'exists' } },
      422,
      'audienceFilter.field',
    ],
    ['a rate of 0', { ...draft, maxPerHour: 0 }, 422, 'maxPerHour'],
  ])('422 for %s', async (_what, body, status, field) => {
    const { secret: key } = await sendingProject(world)
    const answer = await call('POST /campaigns', body, { key })
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([status, field])
  })

  test('403 for a domain that is not verified, 404 for a segment that does not exist', async () => {
    const { secret: key } = await sendingProject(world)
    const foreign = await call('POST /campaigns', { ...draft, from: 'news@other.test' }, { key })
    const missing = await call('POST /campaigns', { ...draft, audienceType: 'SEGMENT', segmentId: 'seg_x' }, { key })
    expect([foreign.body.error.code, missing.body.error.code]).toEqual(['DOMAIN_NOT_VERIFIED', 'SEGMENT_NOT_FOUND'])
  })
})

test('PUT replaces with all required fields, so that others become null, and changes only what is given otherwise', async () => {
  const { secret: key } = await sendingProject(world)
  const created = await call('POST /campaigns', { ...draft, description: 'For spring', replyTo: 'help@demo.test' }, { key })
  const path = `PUT /campaigns/${created.body.data.id}`
  const changed = await call(path, { name: 'Other' }, { key })
  expect(changed.body).toMatchObject({ name: 'Other', description: 'For spring', replyTo: 'help@demo.test' })
  const replaced = await call(path, draft, { key })
  expect(replaced.body).toMatchObject({ name: 'News', description: null, replyTo: null, type: 'MARKETING' })
})

test('GET /campaigns pages by cursor and by number, filtered by status and search', async () => {
  const { ctx, secret: key } = await sendingProject(world)
  const made = [await drafted(ctx, { name: 'One' }), await drafted(ctx, { name: 'Two' }), await drafted(ctx, { name: 'Three' })]
  const ids = made.map(({ id }) => id).reverse()
  const first = await call('GET /campaigns?limit=2', undefined, { key })
  expect(first.body).toMatchObject({ total: 3, page: 1, pageSize: 2, totalPages: 2, hasMore: true })
  expect(first.body.campaigns).toEqual(first.body.data)
  const rest = await call(`GET /campaigns?limit=2&cursor=${first.body.cursor}`, undefined, { key })
  const numbered = await call('GET /campaigns?page=2&pageSize=2', undefined, { key })
  expect([...first.body.data, ...rest.body.data].map(({ id }: { id: string }) => id)).toEqual(ids)
  expect([numbered.body.data, numbered.body.total, numbered.body.hasMore]).toEqual([rest.body.data, 3, false])
  const found = await call('GET /campaigns?search=thr&status=DRAFT', undefined, { key })
  expect(found.body.data.map(({ name }: { name: string }) => name)).toEqual(['Three'])
  expect((await call('GET /campaigns?status=LOST', undefined, { key })).status).toBe(400)
})

test('a campaign is sent, watched live, counted, and listed with its recipients, also as CSV', async () => {
  const { ctx, secret: key, projectId } = await sendingProject(world)
  await withContacts(ctx, 5)
  const { id } = await drafted(ctx, { previewText: 'Soon {{ name }}' })
  const socket = connect(url, bearer(key))
  const seen: { status: string; sent: number }[] = []
  void (async () => {
    for await (const { data } of socket.client.iterate<{ campaignProgress: { status: string; stats: { sentCount: number } } }>({
      query: `subscription { campaignProgress(id: "${id}") { status stats { sentCount } } }`,
    }))
      if (data) seen.push({ status: data.campaignProgress.status, sent: data.campaignProgress.stats.sentCount })
  })()
  await until(async () => seen.length > 0)
  const sent = await call(`POST /campaigns/${id}/send`, {}, { key })
  expect([sent.status, sent.body.status]).toEqual([200, 'SENDING'])
  expect((await call(`DELETE /campaigns/${id}`, undefined, { key })).body.error.code).toBe('CAMPAIGN_ACTIVE')
  await until(async () => seen.at(-1)?.status === 'SENT' && seen.at(-1)?.sent === 5)
  expect(seen[0]).toEqual({ status: 'DRAFT', sent: 0 })
  const stats = await call(`GET /campaigns/${id}/stats`, undefined, { key })
  expect(stats.body).toMatchObject({ totalRecipients: 5, sentCount: 5, openRate: 0, bounceRate: 0 })
  const recipients = await call(`GET /campaigns/${id}/recipients?outcome=SENT&limit=2`, undefined, { key })
  expect(recipients.body).toMatchObject({ total: 5, hasMore: true, data: [{ outcome: 'SENT', reason: null }, { outcome: 'SENT' }] })
  const csv = await fetch(`${url}/campaigns/${id}/recipients`, { headers: { authorization: `Bearer ${key}`, accept: 'text/csv' } })
  expect((await csv.text()).trim().split('\r\n')).toHaveLength(6)
  const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, to: { has: 'user1@example.com' } } })
  const parsed = await PostalMime.parse(Buffer.from(mail?.raw ?? ''))
  expect([parsed.html?.includes('Soon User 1'), parsed.headers.map(({ key }) => key)]).toEqual([
    true,
    expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post', 'feedback-id', 'precedence', 'dkim-signature']),
  ])
  const late = await call(`POST /campaigns/${id}/cancel`, undefined, { key })
  expect([late.status, late.body.error.code]).toEqual([409, 'CONFLICT'])
})

describe('POST /campaigns/:id/send', () => {
  test('422 for a time that is past or no date, 402 over the cap of campaigns, and then nobody is sent it', async () => {
    const { ctx, secret: key, projectId } = await sendingProject(world)
    await withContacts(ctx, 3)
    const { id } = await drafted(ctx)
    const past = await call(`POST /campaigns/${id}/send`, { scheduledFor: '2020-01-01T00:00:00Z' }, { key })
    const none = await call(`POST /campaigns/${id}/send`, { scheduledFor: 'tomorrow' }, { key })
    expect([past.status, none.status]).toEqual([422, 422])
    await call(`PUT /users/@me/projects/${projectId}/billing-limits`, { campaigns: 2 }, { key })
    const over = await call(`POST /campaigns/${id}/send`, {}, { key })
    expect([over.status, over.body.error.code]).toEqual([402, 'BILLING_LIMIT_EXCEEDED'])
    expect(await world.db.prisma.email.count({ where: { projectId } })).toBe(0)
    await call(`PUT /users/@me/projects/${projectId}/billing-limits`, { campaigns: 3 }, { key })
    expect((await call(`POST /campaigns/${id}/send`, {}, { key })).status).toBe(200)
    await until(async () => (await call(`GET /campaigns/${id}`, undefined, { key })).body.status === 'SENT')
    const used = await call(`GET /users/@me/projects/${projectId}/billing-consumption`, undefined, { key })
    expect(JSON.stringify(used.body)).toContain('3')
    // The cap is one of each month.
    const { id: later } = await drafted(ctx)
    const now = world.clock.now()
    const scheduledFor = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString()
    expect((await call(`POST /campaigns/${later}/send`, {}, { key })).status).toBe(402)
    expect((await call(`POST /campaigns/${later}/send`, { scheduledFor }, { key })).body.status).toBe('SCHEDULED')
  })
})

describe('POST /campaigns/:id/test', () => {
  test('sends it to one address at once, stores nothing, and lets a person write to members only', async () => {
    const { ctx, secret: key, projectId } = await sendingProject(world)
    const [contactId] = await withContacts(ctx, 1)
    const { id } = await drafted(ctx)
    const answer = await call(`POST /campaigns/${id}/test`, { email: 'user0@example.com' }, { key })
    expect([answer.status, answer.body]).toEqual([200, { success: true, message: 'Test email sent to user0@example.com' }])
    const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId } })
    expect(mail?.subject).toBe('[TEST] News for User 0')
    const raw = Buffer.from(mail?.raw ?? '').toString()
    expect([raw.includes('X-Postwire-Test: true'), raw.includes('/t/o/'), raw.includes('DKIM-Signature')]).toEqual([true, false, true])
    expect([await world.db.prisma.email.count({ where: { projectId } }), contactId]).toEqual([0, contactId])
    const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const refused = await call(`POST /campaigns/${id}/test`, { email: 'stranger@example.com' }, { cookie: member.cookie })
    const allowed = await call(`POST /campaigns/${id}/test`, { email: member.email }, { cookie: member.cookie })
    expect([refused.body.error.code, allowed.status]).toEqual(['FORBIDDEN', 200])
    expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(1)
  })

  test('429 beyond 100 in an hour: no cap counts them', async () => {
    const { ctx, secret: key, projectId } = await sendingProject(world)
    const { id } = await drafted(ctx)
    const other = await sendingProject(world)
    const { id: othersId } = await drafted(other.ctx)
    const send = async (at: number) => (await call(`POST /campaigns/${id}/test`, { email: `user${at}@example.com` }, { key })).status
    const statuses = await Promise.all(Array.from({ length: 102 }, (_, at) => send(at)))
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect(await world.db.prisma.capturedMail.count({ where: { projectId } })).toBe(100)
    const { status } = await call(`POST /campaigns/${othersId}/test`, { email: 'user0@example.com' }, { key: other.secret })
    expect(status).toBe(200)
  })
})

test('in GraphQL a campaign leads to its segment, recipients, emails and preview, and its condition can be sent back', async () => {
  const { ctx, secret } = await sendingProject(world)
  await withContacts(ctx, 4)
  const ask = asker(url, secret)
  const create = graphql(`mutation CreateCampaign($input: CreateCampaignInput!) {
    createCampaign(input: $input) { campaign { id condition audiencePreview { recipients excluded { reason count } } } }
  }`)
  const input = {
    name: 'Pro',
    subject: 'S',
    body: 'B',
    from: 'news@demo.test',
    audienceType: 'FILTERED' as const,
    condition: { field: 'data.plan', operator: 'EQUALS' as const, value: 'pro' },
  }
  const { data } = await ask(create, { input })
  const campaign = data?.createCampaign.campaign
  expect(campaign).toMatchObject({
    condition: { field: 'data.plan', operator: 'EQUALS', value: 'pro' },
    audiencePreview: { recipients: 2, excluded: [] },
  })
  await call(`POST /campaigns/${campaign?.id}/send`, {}, { key: secret })
  await until(async () => (await call(`GET /campaigns/${campaign?.id}`, undefined, { key: secret })).body.status === 'SENT')
  const answer = await ask(
    `query { campaign(id: "${campaign?.id}") { status stats { totalRecipients } recipients(first: 5) { totalCount nodes { outcome contact { email } email { campaign { id } } } } } }`,
  )
  expect(answer.data).toMatchObject({
    campaign: {
      status: 'SENT',
      stats: { totalRecipients: 2 },
      recipients: { totalCount: 2, nodes: [{ outcome: 'SENT', email: { campaign: { id: campaign?.id } } }, { outcome: 'SENT' }] },
    },
  })
})
