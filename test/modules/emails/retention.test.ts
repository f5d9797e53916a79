import { describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { beginning } from '../../../src/kit/walk.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { getEmail, listEmails } from '../../../src/modules/emails/emails.ts'
import { removeOldContents } from '../../../src/modules/emails/retention.ts'
import { trackingLinks } from '../../../src/modules/emails/tracking/links.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { accept, logOf, sendingProject, settled } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'

const { world, call } = await testServer({ worker: true, running: true, env: { CONTENT_RETENTION_DAYS: '30' } })
const dayMs = 86_400_000
const countRows = statement<{ contents: number; attachments: number; captured: number }>(
  'test_content_rows',
  `select (select count(*) from email_contents where project_id = $1) as contents, (select count(*) from email_attachments where project_id = $1) as attachments,
     (select count(*) from captured_mails where project_id = $1) as captured`,
)
const postpone = statement<object>(
  'test_postpone',
  `with pending as (update emails set status = 'PENDING' where project_id = $1 and id = $2 returning project_id, id)
   insert into deliveries (project_id, email_id, lane, due) select project_id, id, 0, now() + interval '1 year' from pending`,
)
const attachments = [{ filename: 'a.txt', content: 'YQ==', contentType: 'text/plain' }]

const daysLater = (days: number) => ({ ...world, clock: { now: () => new Date(world.clock.now().getTime() + days * dayMs), aheadMs: 0 } })
const rowsOf = async (projectId: string) => (await world.db.run(countRows, [projectId]))[0]

describe('removeOldContents', () => {
  test('removes contents, attachments and captured emails after the setting; the emails can still be read', async () => {
    const { ctx, projectId, secret } = await sendingProject(world)
    const template = await createTemplate(ctx, { subject: 'Hello', body: 'Hi', from: 'hello@demo.test' })
    const { emails } = await sendEmail(ctx, SendDraft.parse({ to: ['a@example.com', 'b@example.com'], template: template.id, attachments }))
    const ids = emails.map(({ email }) => email)
    for (const id of ids) await settled(ctx, id, 'SENT')
    await removeOldContents(daysLater(29), beginning)
    expect(await rowsOf(projectId)).toEqual({ contents: 1, attachments: 1, captured: 2 })
    await removeOldContents(daysLater(31), beginning)
    expect(await rowsOf(projectId)).toEqual({ contents: 0, attachments: 0, captured: 0 })

    expect(await getEmail(ctx, { id: ids[0] ?? '' })).toMatchObject({ subject: 'Hello', status: 'SENT' })
    expect((await listEmails(ctx, { limit: 10 })).data).toHaveLength(2)
    const query = '{ emails(first: 10) { nodes { subject status template { id } contact { email } events { name } } } }'
    const { body } = await call('POST /graphql', { query }, { key: secret })
    expect(body.errors).toBeUndefined()
    expect(body.data.emails.nodes[0]).toEqual({
      subject: 'Hello',
      status: 'SENT',
      template: null,
      contact: { email: 'b@example.com' },
      events: [{ name: 'email.sent' }],
    })
  })

  test('keeps a content as long as one of its emails has not ended', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { emails } = await sendEmail(
      ctx,
      SendDraft.parse({ to: ['a@example.com', 'b@example.com'], from: 'hello@demo.test', subject: 'S', body: 'B' }),
    )
    const ids = emails.map(({ email }) => email)
    for (const id of ids) await settled(ctx, id, 'SENT')
    await world.db.run(postpone, [projectId, ids[1]])
    await removeOldContents(daysLater(40), beginning)
    expect(await rowsOf(projectId)).toMatchObject({ contents: 1 })
    const rows = await world.db.prisma.email.findMany({ where: { projectId }, select: { contentId: true } })
    expect(rows.map(({ contentId }) => contentId !== null)).toEqual([true, true])
  })

  test('records opens and clicks of an email whose content is gone', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx, { body: '<a href="https://example.com/">x</a>' })
    await settled(ctx, id, 'SENT')
    await removeOldContents(daysLater(31), beginning)
    expect(await rowsOf(projectId)).toMatchObject({ contents: 0 })
    const link = trackingLinks(world, { projectId, id }).clickUrl('https://example.com/')
    expect((await call(`GET ${new URL(link).pathname}`)).status).toBe(302)
    await until(async () => (await logOf(ctx)).some(({ name }) => name === 'email.click'))
    expect((await logOf(ctx)).at(-1)).toMatchObject({ name: 'email.click', data: { emailId: id, clicks: 1 } })
  })

  test('without the setting it removes only contents that no email refers to, a day after they were made', async () => {
    const forever = { ...world, config: { ...world.config, CONTENT_RETENTION_DAYS: undefined } }
    const { ctx, projectId } = await sendingProject(world)
    const kept = await accept(ctx, { attachments })
    const lonely = await accept(ctx, { attachments })
    for (const { id } of [kept, lonely]) await settled(ctx, id, 'SENT')
    await world.db.prisma.email.delete({ where: { projectId_id: { projectId, id: lonely.id } } })
    await removeOldContents(forever, beginning)
    expect(await rowsOf(projectId)).toMatchObject({ contents: 2 })
    await removeOldContents({ ...forever, clock: daysLater(4_000).clock }, beginning)
    expect(await rowsOf(projectId)).toEqual({ contents: 1, attachments: 1, captured: 2 })
    expect(await getEmail(ctx, kept)).toMatchObject({ status: 'SENT' })
  })
})
