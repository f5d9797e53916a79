import { describe, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { bulkUnsubscribeContacts } from '../../../src/modules/contacts/bulk/bulk.ts'
import { updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../src/modules/contacts/jobs.ts'
import { startWorkflowExecution } from '../../../src/modules/workflows/executions/start.ts'
import { contactsOf, ended, imported } from '../../help/imports.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { drawn, enable, runAll, step } from '../../help/workflows.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { call, world } = await testServer()
const other = await testWorld({ databaseUrl: world.databaseUrl })
await startJobs(world)
const run = (sql: string) => world.db.prisma.$executeRawUnsafe(sql)
await run('create sequence tries')

/** Aborts updates of contacts (`n`) as where others have written them meanwhile, while `condition` holds of them. */
async function abortUpdates(condition: string): Promise<void> {
  await run('alter sequence tries restart')
  await run(`create or replace function abort_update() returns trigger language plpgsql as $$
    begin if ${condition} then perform fail_serialization(); end if; return null; end $$`)
  await run(
    `create trigger abort_update after update on contacts referencing new table as n for each statement execute function abort_update()`,
  )
  onTestFinished(async () => void (await run('drop trigger abort_update on contacts')))
}

async function some(ctx: Ctx, count: number): Promise<{ id: string; email: string }[]> {
  const emails = Array.from({ length: count }, (_, n) => `user${String(n).padStart(4, '0')}@example.com`)
  return Promise.all(emails.map((email) => upsertContact(ctx, { email, subscribed: true })))
}
const flips = ({ projectId }: Ctx) => world.db.prisma.event.count({ where: { projectId, name: 'contact.unsubscribed' } })

const mail = { from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }

type Change = (contact: { id: string; email: string }) => [route: string, body: object]
const changes: [string, Change][] = [
  ['PATCH /contacts/:id', ({ id }) => [`PATCH /contacts/${id}`, { subscribed: false }]],
  ['POST /contacts', ({ email }) => ['POST /contacts', { email, subscribed: false }]],
  ['POST /v1/track', ({ email }) => ['POST /v1/track', { email, event: 'left', subscribed: false }]],
  ['POST /v1/send', ({ email }) => ['POST /v1/send', { ...mail, to: email, subscribed: false }]],
]

describe.each(changes)('%s of a contact that others change', (_route, changeOf) => {
  test('is tried again until it is made', async () => {
    const { ctx, secret } = await sendingProject(world)
    const [contact = { id: '', email: '' }] = await some(ctx, 1)
    await abortUpdates(`nextval('tries') <= 5`)
    const [route, body] = changeOf(contact)
    expect((await call(route, body, { key: secret })).status).toBe(200)
    expect(await contactsOf(ctx)).toEqual({ [contact.email]: { subscribed: false, data: {} } })
    expect(await flips(ctx)).toBe(1)
  })

  test('is 503 with Retry-After when they are ahead each time, and changes nothing', async () => {
    const { ctx, secret } = await sendingProject(world)
    const [contact = { id: '', email: '' }] = await some(ctx, 1)
    await abortUpdates('true')
    const [route, body] = changeOf(contact)
    const answer = await call(route, body, { key: secret })
    expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(answer.body.message).toBe('Other calls change the same at the moment, each time before this one could.')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await contactsOf(ctx)).toEqual({ [contact.email]: { subscribed: true, data: {} } })
    expect(await flips(ctx)).toBe(0)
  })
})

test('a step of a workflow that unsubscribes a contact that others change is tried again until it has', async () => {
  const { ctx } = await freshProject(world)
  const [contact = { id: '', email: '' }] = await some(ctx, 1)
  const workflow = await drawn(ctx)
  await step(ctx, workflow, { type: 'UPDATE_CONTACT', config: { subscriptionAction: 'unsubscribe' }, autoConnect: true })
  await enable(ctx, workflow)
  await startWorkflowExecution(ctx, { id: workflow.id, contactId: contact.id })
  await abortUpdates(`nextval('tries') <= 5`)
  await runAll(world)
  expect(await contactsOf(ctx)).toEqual({ [contact.email]: { subscribed: false, data: {} } })
  expect(await flips(ctx)).toBe(1)
})

test('of live writes that were to be one statement, each is written where all together are aborted', async () => {
  const { ctx, secret } = await freshProject(world)
  const contacts = await some(ctx, 30)
  await abortUpdates('(select count(*) from n) > 1')
  const answers = await Promise.all(
    contacts.map(({ email }) => call('POST /v1/track', { email, event: 'left', subscribed: false }, { key: secret })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await flips(ctx)).toBe(30)
})

const chunks: [string, (ctx: Ctx, contacts: { id: string; email: string }[]) => Promise<object>][] = [
  [
    'an import',
    (ctx, contacts) => imported(ctx, ['email,subscribed', 'nobody,', ...contacts.map(({ email }) => `${email},no`)].join('\n')),
  ],
  ['ids', async (ctx, contacts) => ended(ctx, (await bulkUnsubscribeContacts(ctx, { contactIds: contacts.map(({ id }) => id) })).jobId)],
  ['a filter', async (ctx) => ended(ctx, (await bulkUnsubscribeContacts(ctx, { filter: {}, excludeIds: [] })).jobId)],
]

test.each(chunks)(
  'a job of %s whose contacts others change goes on in smaller parts, and counts each contact once',
  async (what, unsubscribe) => {
    const { ctx } = await freshProject(world)
    const contacts = await some(ctx, 1_000)
    await abortUpdates('(select count(*) from n) > 100')
    const job = await unsubscribe(ctx, contacts)
    const result =
      what === 'an import' ? { totalRows: 1_001, updatedCount: 1_000, failureCount: 1 } : { successCount: 1_000, unchangedCount: 0 }
    expect(job).toMatchObject({ state: 'completed', progress: 100, result })
    expect(Object.values(await contactsOf(ctx)).filter(({ subscribed }) => subscribed)).toEqual([])
    expect(await flips(ctx)).toBe(1_000)
  },
)

test('of many changes of one contact at once none fails, and the log is in their order', async () => {
  const { ctx, projectId } = await freshProject(world)
  const [{ id } = { id: '' }] = await some(ctx, 1)
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    const on = { ...ctx, world: writer % 2 ? world : other, db: (writer % 2 ? world : other).db }
    for (let n = 0; n < 30; n++) await updateContact(on, { id, subscribed: (n + writer) % 2 === 0, data: { [`of${writer}`]: n } })
  })
  await Promise.all(writers)
  const lines = await world.db.prisma.$queryRawUnsafe<{ name: string }[]>(
    `select name from events where project_id = $1 and name like 'contact.%' order by epoch, xid, id`,
    projectId,
  )
  const expected = lines.map((_, at) => (at % 2 === 0 ? 'contact.unsubscribed' : 'contact.subscribed'))
  expect(lines.map(({ name }) => name)).toEqual(expected)
  const data = Object.fromEntries(Array.from({ length: 16 }, (_, writer) => [`of${writer}`, 29]))
  expect(Object.values(await contactsOf(ctx))).toEqual([{ subscribed: lines.length % 2 === 0, data }])
})
