import type { Ctx } from '../../src/kit/context.ts'
import { newId } from '../../src/kit/ids.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { getCampaign } from '../../src/modules/campaigns/campaigns.ts'
import { createCampaign } from '../../src/modules/campaigns/changes.ts'
import { countCampaignLines } from '../../src/modules/campaigns/counts/count.ts'
import { advanceCampaigns, stepsIdle } from '../../src/modules/campaigns/run/run.ts'
import type { Campaign, CampaignDraft } from '../../src/modules/campaigns/shapes.ts'
import { upsertContact } from '../../src/modules/contacts/contacts.ts'
import { deliveryIdle, sweepEmails } from '../../src/modules/emails/delivery/worker.ts'
import { logSettled, type TestWorld } from './world.ts'

const plain: CampaignDraft = {
  name: 'Spring news',
  subject: 'News for {{ name ?? "you" }}',
  body: '<p>Hello {{ name }}</p>',
  from: 'news@demo.test',
  audienceType: 'ALL',
}

/** A draft of a campaign. */
export async function drafted(ctx: Ctx, draft: Partial<CampaignDraft> = {}): Promise<Campaign> {
  return createCampaign(ctx, { ...plain, ...draft })
}

/** Adds contacts `user0@example.com` and so on; every other one on the plan `pro`. Returns their ids. */
export async function withContacts(ctx: Ctx, count: number): Promise<string[]> {
  const added = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      upsertContact(ctx, { email: `user${at}@example.com`, data: { name: `User ${at}`, plan: at % 2 ? 'pro' : 'free' } }),
    ),
  )
  return added.map(({ id }) => id)
}

const insertContacts = statement<object>(
  'test_insert_contacts',
  `insert into contacts (project_id, id, email, data, created_at, updated_at)
   select $1, i.id, 'user' || (i.n - 1) || '@example.com', '{"name": "Ada"}', $3, $3 from unnest($2::text[]) with ordinality i(id, n)`,
)

/** Adds contacts `user0@example.com` and so on, all named Ada and created at the same moment, in one statement; in the order of their ids. */
export async function addContacts({ db, clock, projectId }: Ctx, count: number): Promise<{ id: string; email: string }[]> {
  const now = clock.now()
  const ids = Array.from({ length: count }, () => newId('contact', now))
  await db.run(insertContacts, [projectId, ids, now])
  return ids.map((id, n) => ({ id, email: `user${n}@example.com` }))
}

/** Does the steps of campaigns that are due now, without delivering anything. */
export async function step(world: TestWorld, times = Number.POSITIVE_INFINITY): Promise<void> {
  for (let done = 0; done < times && (await advanceCampaigns(world)); done++) await stepsIdle(world)
}

/** Delivers what is queued. */
export async function deliver(world: TestWorld): Promise<void> {
  while (await sweepEmails(world));
  await deliveryIdle(world)
}

/** Does the work of a worker until a campaign is in a state, and counts what became of its emails. */
export async function runUntil(world: TestWorld, ctx: Ctx, id: string, status: Campaign['status']): Promise<Campaign> {
  for (let round = 0; round < 100 && (await getCampaign(ctx, { id })).status !== status; round++) {
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
  }
  await counted(world)
  return getCampaign(ctx, { id })
}

/** Counts what the log has of the emails of campaigns. */
export async function counted(world: TestWorld): Promise<void> {
  await logSettled(world)
  while (await countCampaignLines(world));
}

/** The subjects of the emails of a campaign, by their addresses. */
export async function sentBy({ db, projectId }: Ctx, campaignId: string): Promise<Record<string, string>> {
  const emails = await db.prisma.email.findMany({ where: { projectId, campaignId }, select: { id: true } })
  const mails = await db.prisma.capturedMail.findMany({ where: { projectId, emailId: { in: emails.map(({ id }) => id) } } })
  return Object.fromEntries(mails.map(({ to, subject }) => [to[0]?.split('@')[0] ?? '', subject] as const).sort())
}
