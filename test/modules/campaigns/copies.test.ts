import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { previewAudience } from '../../../src/modules/campaigns/audience/preview.ts'
import { countOfSource, selectOfSource } from '../../../src/modules/campaigns/audience/sql.ts'
import { deleteCampaign, duplicateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { addContacts, deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })

async function opened(projectId: string, contactIds: string[]): Promise<void> {
  await world.db.prisma.email.updateMany({
    where: { projectId, contactId: { in: contactIds } },
    data: { opens: 1, openedAt: world.clock.now() },
  })
}

describe('a copy for those who have not opened a campaign', () => {
  test('whose source is deleted before it is sent, and when it is, goes to them', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const contacts = await withContacts(ctx, 6)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'SENT')
    await opened(projectId, contacts.slice(0, 2))
    const copy = await duplicateCampaign(ctx, { id, audience: 'NOT_OPENED' })
    expect(await previewAudience(ctx, { id: copy.id })).toEqual({ recipients: 4, excluded: [] })
    await deleteCampaign(ctx, { id })
    await step(world)
    expect(await previewAudience(ctx, { id: copy.id })).toEqual({ recipients: 4, excluded: [] })
    await sendCampaign(ctx, { id: copy.id })
    expect(await runUntil(world, ctx, copy.id, 'SENT')).toMatchObject({ totalRecipients: 4, sentCount: 4, sourceCampaignId: id })
    await expect(duplicateCampaign(ctx, { id, audience: 'NOT_OPENED' })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  })

  test('while the source is still being sent goes to those it was sent to until then', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 6)
    const { id } = await drafted(ctx, { maxPerHour: 3_600 })
    await sendCampaign(ctx, { id })
    for (let second = 0; second < 2; second++) {
      world.clock.turn(1_000)
      await step(world)
      await deliver(world)
    }
    const left = await world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(6)
    const copy = await duplicateCampaign(ctx, { id, audience: 'NOT_OPENED' })
    expect(await previewAudience(ctx, { id: copy.id })).toEqual({ recipients: left, excluded: [] })
  })
})

const insertSent = statement<object>(
  'test_insert_sent',
  `insert into emails (project_id, id, contact_id, campaign_id, source, status, to_address, subject, sent_at, opens, created_at, updated_at)
   select $1, 'eml_' || $3::int || substr(c.id, 6), c.id, $2::text, 'CAMPAIGN', 'SENT', c.email, 'S', c.created_at, ascii(right(c.id, 1)) % 2,
     c.created_at, c.created_at
   from contacts c where c.project_id = $1`,
)

interface Plan {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Join Filter'?: string
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

test('counting them compares no recipient with every other, also without statistics, and finding the next reads 5,000 rows of the ledger of the source', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await drafted(ctx)
  const other = await drafted(ctx)
  const people = await addContacts(ctx, 20_000)
  // Another campaign, and emails of none, to the same contacts.
  for (const [n, campaignId] of [id, other.id, null].entries()) await world.db.run(insertSent, [projectId, campaignId, n])
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    const values = [projectId, id, people[9_999]?.id ?? '', 'NOT_OPENED', '5000'].map((value) => client.escapeLiteral(value)).join(', ')
    const counting = await client.query(`explain (format json) ${countOfSource.text}`, [projectId, 'MARKETING', id, 'NOT_OPENED'])
    const compared = nodesOf(counting.rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Join Filter'] !== undefined)
    expect(compared).toEqual([])
    await client.query('analyze')
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query(`prepare next (text, text, text, text, int) as ${selectOfSource.text}`)
    const { rows } = await client.query(`explain (analyze, format json) execute next (${values})`)
    const read = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'emails')
    expect(read).toMatchObject([{ 'Node Type': 'Index Scan', 'Index Name': 'emails_campaign_key', 'Actual Rows': 5_000 }])
    expect(read[0]?.['Rows Removed by Filter'] ?? 0).toBe(0)
  } finally {
    await client.end()
  }
  const counts = await world.db.scans.run(countOfSource, [projectId, 'MARKETING', id, 'NOT_OPENED'])
  const unopened = people.filter((person) => person.id.charCodeAt(person.id.length - 1) % 2 === 0)
  expect(counts).toEqual([{ reason: null, count: unopened.length }])
})
