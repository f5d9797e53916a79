import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import { deleteContact, updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { acceptExecutionEmail } from '../../../../src/modules/emails/accept/execution.ts'
import { contentOfTemplate } from '../../../../src/modules/emails/accept/template.ts'
import { findQueued } from '../../../../src/modules/suppressions/sql.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { deliver, drafted, runUntil, step } from '../../../help/campaigns.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { twoWorkers } from '../../../help/workers.ts'

const { world } = await twoWorkers({ EMAIL_TRANSPORT: 'capture' })
const own = { subject: undefined, body: undefined, from: undefined }
const moved = 'The address of the contact was changed before the email was sent.'
const unsubscribed = 'The contact has unsubscribed from marketing emails.'

let ctx: Ctx
let projectId: string

beforeEach(async () => {
  ;({ ctx, projectId } = await sendingProject(world))
})

const contact = (email: string) => upsertContact(ctx, { email })
/** Where emails of the project have arrived. */
const arrived = async () =>
  (await world.db.prisma.capturedMail.findMany({ where: { projectId } })).flatMap(({ to }) => to as unknown as string[]).sort()
const ends = async () =>
  (await world.db.prisma.email.findMany({ where: { projectId }, orderBy: { id: 'asc' } })).map((email) => [
    email.toAddress,
    email.status,
    email.reason,
  ])
const template = () => createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })

/** A campaign whose recipients are fixed, and whose emails are queued. */
async function queued(): Promise<string> {
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  return id
}

describe('an email of a campaign to a contact that has another address by now', () => {
  test('is cancelled, whether or not the old address has opted out since', async () => {
    const [ada, bob] = [await contact('ada@example.com'), await contact('bob@example.com')]
    await contact('eve@example.com')
    const id = await queued()
    await updateContact(ctx, { id: ada.id, subscribed: false })
    await updateContact(ctx, { id: ada.id, email: 'ada@example.org', subscribed: true })
    await updateContact(ctx, { id: bob.id, email: 'bob@example.org' })
    await runUntil(world, ctx, id, 'SENT')
    expect(await ends()).toEqual([
      ['ada@example.com', 'CANCELLED', moved],
      ['bob@example.com', 'CANCELLED', moved],
      ['eve@example.com', 'SENT', null],
    ])
    expect(await arrived()).toEqual(['eve@example.com'])
  })

  test('is cancelled, so that an address which two contacts have had meanwhile is sent one', async () => {
    const first = await contact('ada@example.com')
    const second = await contact('bob@example.com')
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    while ((await world.db.prisma.email.count({ where: { projectId } })) === 0) await step(world, 1)
    await updateContact(ctx, { id: first.id, email: 'ada@example.org' })
    await updateContact(ctx, { id: second.id, email: 'ada@example.com' })
    // As when the second contact is in a later part of the audience, which is read after it has moved.
    await world.db.prisma.email.updateMany({ where: { projectId, contactId: second.id }, data: { toAddress: 'ada@example.com' } })
    await runUntil(world, ctx, id, 'SENT')
    expect(await arrived()).toEqual(['ada@example.com'])
    expect((await ends()).map(([, status]) => status)).toEqual(['CANCELLED', 'SENT'])
  })
})

test.each([
  ['to its contact is cancelled', null, 'CANCELLED', moved],
  ['to an address that the step names is sent', 'boss@example.com', 'SENT', null],
])('an email of a workflow %s when the address of the contact has changed', async (_what, to, status, reason) => {
  const { id: contactId } = await contact('ada@example.com')
  const content = contentOfTemplate(await template(), {})
  await world.db.transaction((tx) => acceptExecutionEmail(tx, world, { projectId, contactId, executionId: 'exe_1', to, content }))
  await updateContact(ctx, { id: contactId, email: 'ada@example.org' })
  await deliver(world)
  expect(await ends()).toEqual([[to ?? 'ada@example.com', status, reason]])
})

describe('an email of /v1/send whose contact has another address by now', () => {
  /** An accepted email to ada@example.com, whose contact has moved. */
  async function accepted(draft: object): Promise<void> {
    const { contactId } = await accept(ctx, { to: 'ada@example.com', subscribed: true, ...draft })
    await updateContact(ctx, { id: contactId, email: 'ada@example.org' })
  }

  test.each([
    ['a contact has it', async () => {}],
    ['its contact was deleted', (id: string) => deleteContact(ctx, { id })],
    ['its contact has another address', async (id: string) => void (await updateContact(ctx, { id, email: 'bob@example.org' }))],
  ])('is withheld when it is marketing and the address has opted out: %s', async (_how, leave) => {
    await accepted({ ...own, template: (await template()).id })
    const { id } = await contact('ada@example.com')
    await updateContact(ctx, { id, subscribed: false })
    await leave(id)
    await deliver(world)
    expect(await ends()).toEqual([['ada@example.com', 'SUPPRESSED', unsubscribed]])
  })

  test('is sent when it is marketing and nobody has opted out', async () => {
    await accepted({ ...own, template: (await template()).id })
    await deliver(world)
    expect(await arrived()).toEqual(['ada@example.com'])
  })

  test('is sent when it is transactional', async () => {
    await accepted({})
    const { id } = await contact('ada@example.com')
    await updateContact(ctx, { id, subscribed: false })
    await deliver(world)
    expect(await arrived()).toEqual(['ada@example.com'])
  })
})

describe('an email that may be leaving to an address is found, so that who withholds it can wait for it,', () => {
  const mayLeaveTo = async (email: string) => (await world.db.run(findQueued, [projectId, [email]]))[0]?.queued

  test('where its contact has another address by now', async () => {
    const { contactId } = await accept(ctx, { to: 'ada@example.com' })
    await updateContact(ctx, { id: contactId, email: 'ada@example.org' })
    expect(await Promise.all(['ada@example.com', 'ada@example.org', 'eve@example.com'].map(mayLeaveTo))).toEqual([true, true, false])
  })

  test('where a step of a workflow names it', async () => {
    const { id: contactId } = await contact('ada@example.com')
    const email = { projectId, contactId, executionId: 'exe_1', to: 'boss@example.com', content: contentOfTemplate(await template(), {}) }
    await world.db.transaction((tx) => acceptExecutionEmail(tx, world, email))
    expect(await mayLeaveTo('boss@example.com')).toBe(true)
  })

  test('and not where it is to the contact only, which has another one: it is cancelled', async () => {
    const { id } = await contact('ada@example.com')
    await queued()
    await updateContact(ctx, { id, email: 'ada@example.org' })
    expect(await mayLeaveTo('ada@example.com')).toBe(false)
  })
})
