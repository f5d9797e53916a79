import { expect, test } from 'vitest'
import { deleteCampaign } from '../../../src/modules/campaigns/changes.ts'
import { maxLinksCounted } from '../../../src/modules/campaigns/counts/links.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign, pauseCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { eraseContact } from '../../../src/modules/emails/erasure/erase.ts'
import { recordEngaged } from '../../../src/modules/emails/tracking/record.ts'
import { asker } from '../../help/ask.ts'
import { counted, deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { graphql } from '../../help/graphql/index.ts'
import { sendingProject } from '../../help/mails.ts'
import { fewestQueriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const person = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15'
const a = 'https://example.com/a'
const b = 'https://example.com/b'

/** A campaign that was sent to some contacts, and its emails in the order of their ids. */
async function sentTo(count: number) {
  const { ctx, secret, projectId } = await sendingProject(world)
  await withContacts(ctx, count)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await runUntil(world, ctx, id, 'SENT')
  const emails = await world.db.prisma.email.findMany({ where: { projectId }, orderBy: { id: 'asc' } })
  const click = async (at: number, link: string, userAgent = person) => {
    // Later than what follows sending, or another link, at once, whatever time the ids of events are ahead.
    world.clock.turn(70_000)
    await recordEngaged(world, { projectId, id: emails[at]?.id ?? '', link, userAgent })
  }
  return { ctx, projectId, id, emails, click, ask: asker(url, secret) }
}

const read = graphql(`
  query CampaignLinks($id: ID!) { campaign(id: $id) { sentAt finishedAt links { url clicks uniqueClicks machineClicks } } }
`)

test('links of a campaign say how often they were followed, in how many emails by a person, and how often by machines', async () => {
  const { id, click, ask } = await sentTo(2)
  await click(0, b)
  await click(0, a)
  await click(0, a)
  await counted(world)
  await click(0, a)
  await click(1, a)
  await click(1, b, 'Googlebot/2.1')
  await click(1, b, 'Googlebot/2.1')
  await counted(world)
  const { data } = await ask(read, { id })
  expect(data?.campaign?.links).toEqual([
    { url: a, clicks: 4, uniqueClicks: 2, machineClicks: 0 },
    { url: b, clicks: 3, uniqueClicks: 1, machineClicks: 2 },
  ])
})

test('links beyond the first 1,000 of a campaign are counted together', async () => {
  const { id, projectId, click, ask } = await sentTo(1)
  const link = { projectId, campaignId: id, clicks: 1, uniqueClicks: 0, machineClicks: 1 }
  const earlier = Array.from({ length: maxLinksCounted - 1 }, (_, at) => ({
    ...link,
    linkId: `link${at}`,
    url: `https://example.com/${at}`,
  }))
  await world.db.prisma.campaignLink.createMany({ data: earlier })
  await click(0, a)
  await counted(world)
  await click(0, b)
  await click(0, 'https://example.com/c')
  await click(0, a)
  await counted(world)
  const links = (await ask(read, { id })).data?.campaign?.links
  expect(links).toHaveLength(100)
  expect(links?.slice(0, 3)).toMatchObject([
    { url: a, clicks: 2, uniqueClicks: 1 },
    { url: null, clicks: 2, uniqueClicks: 1 },
    { clicks: 1, uniqueClicks: 0, machineClicks: 1 },
  ])
})

test('counts stay when a contact is deleted, which leaves nothing else of it, and go with the campaign', async () => {
  const { ctx, id, projectId, emails, click } = await sentTo(1)
  await click(0, a)
  await counted(world)
  const { contactId = '' } = emails[0] ?? {}
  await deleteContact(ctx, { id: contactId })
  const { id: erasureId } = await world.db.prisma.eventErasure.findFirstOrThrow({ where: { projectId, contactId } })
  await eraseContact(world, { projectId, contactId, erasureId })
  expect(await world.db.prisma.campaignLinkVisit.count({ where: { projectId } })).toBe(0)
  expect(await world.db.prisma.campaignLink.findMany({ where: { projectId } })).toMatchObject([{ url: a, clicks: 1, uniqueClicks: 1 }])
  await deleteCampaign(ctx, { id })
  await step(world)
  expect(await world.db.prisma.campaignLink.count({ where: { projectId } })).toBe(0)
})

test('the links of many campaigns are one statement', async () => {
  const { ctx, ask } = await sentTo(1)
  for (let more = 0; more < 2; more++) await drafted(ctx)
  const list = graphql(`query LinksOfCampaigns { campaigns(first: 3) { nodes { links { url } } } }`)
  const { reply, queries } = await fewestQueriesOf(() => ask(list), /campaign_links/)
  expect([reply.data?.campaigns.nodes.length, queries]).toEqual([3, 1])
})

test('finishedAt is when a campaign became SENT, or was cancelled after something had left', async () => {
  const { id, ask } = await sentTo(2)
  const sent = (await ask(read, { id })).data?.campaign
  expect(new Date(sent?.finishedAt ?? 0).getTime()).toBeGreaterThan(new Date(sent?.sentAt ?? '').getTime())
  const { ctx, secret } = await sendingProject(world)
  await withContacts(ctx, 3)
  const { id: slow } = await drafted(ctx, { maxPerHour: 1 })
  const finishedAt = async () => (await asker(url, secret)(read, { id: slow })).data?.campaign?.finishedAt
  expect(await finishedAt()).toBeNull()
  await sendCampaign(ctx, { id: slow })
  for (let round = 0; round < 5; round++) {
    await step(world)
    await deliver(world)
  }
  await pauseCampaign(ctx, { id: slow })
  expect(await finishedAt()).toBeNull()
  world.clock.turn(60_000)
  const { status } = await cancelCampaign(ctx, { id: slow })
  expect([status, await finishedAt()]).toEqual(['CANCELLED', world.clock.now().toISOString()])
})
