import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { statement } from '../../../../src/kit/postgres/db.ts'
import { deleteContact, getContact, updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { contactLinks } from '../../../../src/modules/emails/subscription/links.ts'
import { holder } from '../../../help/holder.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { queriesOf } from '../../../help/queries.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { until } from '../../../help/until.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const headers = { 'content-type': 'application/x-www-form-urlencoded' }
const old = 'ada@example.com'
const now = 'private@example.org'

/** What one click and the button of the page do, after something else began to change the contact and before that was done. */
async function unsubscribedDuring(body: string, begin: (ctx: Ctx, id: string) => Promise<unknown>) {
  const { ctx, projectId } = await sendingProject(world)
  const { id: emailId, contactId } = await accept(ctx, { to: old, subscribed: true })
  const { unsubscribeUrl } = contactLinks(world, { projectId, contactId, emailId, address: old })
  const other = await holder(world)
  await other.run('select 1 from contacts where project_id = $1 and id = $2 for update', [projectId, contactId])
  const begun = begin(ctx, contactId)
  await other.waitedFor()
  const answer = callAt(url, `POST ${unsubscribeUrl.replace(world.publicUrl, '')}`, body, { headers })
  await other.waitedForOrEnded(2, answer)
  await other.commit()
  await begun
  return { ctx, status: (await answer).status }
}

const ways = [
  ['one click', 'List-Unsubscribe=One-Click'],
  ['the button', 'subscribed=false'],
] as const

test.each(ways)('whoever unsubscribes by %s in the moment when their contact is deleted has opted out', async (_by, body) => {
  const { ctx, status } = await unsubscribedDuring(body, (ctx, id) => deleteContact(ctx, { id }))
  expect(status).toBe(200)
  expect((await upsertContact(ctx, { email: old })).subscribed).toBe(false)
})

test.each(ways)(
  'whoever unsubscribes by %s in the moment when their contact gets another address has opted out, and nobody else',
  async (_by, body) => {
    const { ctx, status } = await unsubscribedDuring(body, (ctx, id) => updateContact(ctx, { id, email: now }))
    expect(status).toBe(200)
    expect((await upsertContact(ctx, { email: now })).subscribed).toBe(true)
    expect((await upsertContact(ctx, { email: old })).subscribed).toBe(false)
  },
)

// Since a moment: a connection that is idle says what it has run last.
const looked = statement<object>(
  'test_looked',
  `select 1 from pg_stat_activity where datname = current_database() and query_start > $1
     and query like 'select exists (select from pg_stat_activity%' limit 1`,
  { allProjects: 'a test' },
)

test.each(ways)('whoever unsubscribes by %s in the moment when their deleted contact is made again has opted out', async (_by, body) => {
  const { ctx, projectId } = await sendingProject(world)
  const { id: emailId, contactId } = await accept(ctx, { to: old, subscribed: true })
  const { unsubscribeUrl } = contactLinks(world, { projectId, contactId, emailId, address: old })
  await deleteContact(ctx, { id: contactId })
  const other = await holder(world)
  await other.run(
    `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at) values ($1, 'cnt_other', $2, true, '{}', now(), now())`,
    [projectId, old],
  )
  const making = upsertContact(ctx, { email: old })
  // What waits for somebody else's row is written again by itself, and reads what has opted out again: not the group, which hardly waits.
  await other.waitedFor(1_000)
  const began = new Date()
  let ended = false
  const answer = callAt(url, `POST ${unsubscribeUrl.replace(world.publicUrl, '')}`, body, { headers }).finally(() => {
    ended = true
  })
  await until(async () => ended || (await world.db.run(looked, [began])).length > 0)
  await other.run('rollback')
  const { id } = await making
  expect((await answer).status).toBe(200)
  expect((await getContact(ctx, { id })).subscribed).toBe(false)
})

test('whoever was never subscribed and unsubscribes is answered when nothing is leaving any more, as others are', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id: emailId, contactId } = await accept(ctx, { to: old })
  expect((await getContact(ctx, { id: contactId })).subscribed).toBe(false)
  const { unsubscribeUrl } = contactLinks(world, { projectId, contactId, emailId, address: old })
  const answer = () => callAt(url, `POST ${unsubscribeUrl.replace(world.publicUrl, '')}`, 'List-Unsubscribe=One-Click', { headers })
  const { reply, queries } = await queriesOf(answer, /from deliveries[\s\S]* as queued/)
  expect([reply.status, queries]).toEqual([200, 1])
})
