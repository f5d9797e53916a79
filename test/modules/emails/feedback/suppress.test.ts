import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { getContact, updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { recordBounce, recordComplaint } from '../../../../src/modules/emails/feedback/record.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })

const kinds = ['bounce', 'complaint'] as const

async function feed(projectId: string, kind: (typeof kinds)[number], address: string): Promise<void> {
  const { id: emailId } = await world.db.prisma.email.findFirstOrThrow({ where: { projectId } })
  const feedback = { email: { projectId, emailId }, at: world.clock.now(), recipients: [address], reason: '550 5.1.1 No such user' }
  expect(await (kind === 'bounce' ? recordBounce : recordComplaint)(world, feedback)).toBe('recorded')
}

/** Whether a contact is subscribed, has opted out, and which addresses are suppressed. */
async function stateOf(ctx: Ctx, id: string) {
  const { projectId } = ctx
  const contact = await world.db.prisma.contact.findUniqueOrThrow({ where: { projectId_id: { projectId, id } } })
  const list = await world.db.prisma.suppression.findMany({ where: { projectId }, select: { email: true } })
  const lines = (await logOf(ctx)).filter(({ name }) => name === 'contact.unsubscribed')
  return { subscribed: contact.subscribed, optedOut: contact.optedOut, list: list.map(({ email }) => email), lines: lines.length }
}

test.each(kinds)(
  'a %s of an address that a workflow wrote to for a contact suppresses that address, and leaves the contact alone',
  async (kind) => {
    const { ctx, projectId } = await sendingProject(world)
    const template = { subject: 'S', body: '<p>x</p>', from: 'hello@demo.test', type: 'TRANSACTIONAL' }
    const { id: templateId } = await createTemplate(ctx, template as Parameters<typeof createTemplate>[1])
    const { id } = await drawn(ctx)
    const config = { recipient: { type: 'CUSTOM', customEmail: 'boss@example.com' } }
    await step(ctx, { id }, { type: 'SEND_EMAIL', templateId, config })
    await enable(ctx, { id })
    const ada = await upsertContact(ctx, { email: 'ada@example.com', subscribed: true })
    await startWorkflowExecution(ctx, { id, contactId: ada.id })
    await runAll(world)
    await turnAndSweep(world, 0)
    await feed(projectId, kind, 'boss@example.com')
    expect(await stateOf(ctx, ada.id)).toEqual({ subscribed: true, optedOut: false, list: ['boss@example.com'], lines: 0 })
  },
)

test.each(kinds)('a %s of an address that its contact does not have any more leaves the contact alone', async (kind) => {
  const { ctx, projectId } = await sendingProject(world)
  const { contactId: id } = await accept(ctx, { subscribed: true })
  await turnAndSweep(world, 0)
  await updateContact(ctx, { id, email: 'new@example.com' })
  await feed(projectId, kind, 'ada@example.com')
  expect(await getContact(ctx, { id })).toMatchObject({ email: 'new@example.com', subscribed: true })
  expect(await stateOf(ctx, id)).toEqual({ subscribed: true, optedOut: false, list: ['ada@example.com'], lines: 0 })
})

test.each(kinds)('a %s does not record that a contact which was never subscribed, and has another address, opted out', async (kind) => {
  const { ctx, projectId } = await sendingProject(world)
  const { contactId: id } = await accept(ctx)
  await turnAndSweep(world, 0)
  await updateContact(ctx, { id, email: 'new@example.com' })
  await feed(projectId, kind, 'ada@example.com')
  expect(await stateOf(ctx, id)).toEqual({ subscribed: false, optedOut: false, list: ['ada@example.com'], lines: 0 })
})
