import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { getCampaignStats } from '../../../../src/modules/campaigns/counts/stats.ts'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../../src/modules/campaigns/sending/stop.ts'
import { changeSubscription, updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { cancelEmail } from '../../../../src/modules/emails/cancel.ts'
import { contactLinks } from '../../../../src/modules/emails/subscription/links.ts'
import { changePreferences } from '../../../../src/modules/emails/subscription/preferences.ts'
import { recordOpen } from '../../../../src/modules/emails/tracking/record.ts'
import { suppressAddresses } from '../../../../src/modules/suppressions/suppressions.ts'
import { counted, deliver, drafted, runUntil, step } from '../../../help/campaigns.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { accepts, twoWorkers } from '../../../help/workers.ts'

const { world, sent, server, turn } = await twoWorkers()
const mayHaveArrived = 'It may have arrived: how an earlier attempt ended is not known.'

let ctx: Ctx
let projectId: string
beforeEach(async () => {
  ;({ ctx, projectId } = await sendingProject(world))
  server.answer = accepts
})

/** A campaign to contacts, the answer to whose emails was lost. */
async function lost(names: string[]) {
  const ids = []
  for (const name of names) ids.push((await upsertContact(ctx, { email: `${name}@example.com` })).id)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  server.answer = async () => ({ kind: 'deferred', response: 'The connection was lost.', uncertain: true })
  await deliver(world)
  server.answer = accepts
  const emails = await world.db.prisma.email.findMany({ where: { projectId }, orderBy: { id: 'asc' } })
  const subjects = emails.map((email) => ({ projectId, contactId: email.contactId, emailId: email.id }))
  return { id, ids, subjects }
}
async function ends(): Promise<unknown[]> {
  turn(60_000)
  await turnAndSweep(world, 0)
  const emails = await world.db.prisma.email.findMany({ where: { projectId }, orderBy: { id: 'asc' } })
  return emails.map(({ status, reason }) => [status, reason])
}
const handedOver = ({ emailId }: { emailId: string }) => sent.filter((id) => id === emailId).length

describe('an email that may have arrived, because the answer of the mail server was lost', () => {
  test('is not attempted again when it must not be sent any more, and has failed: what is recorded says that it may have arrived', async () => {
    const { id, ids, subjects } = await lost(['ada', 'bob', 'cleo', 'dora'])
    const [ada = '', , cleo = ''] = ids
    await changeSubscription(ctx, { id: ada, subscribed: false, source: 'api' })
    await suppressAddresses(ctx, { emails: ['bob@example.com'] })
    await updateContact(ctx, { id: cleo, email: 'cleo@example.org' })
    expect(await ends()).toEqual([
      ['FAILED', `The contact has unsubscribed from marketing emails. ${mayHaveArrived}`],
      ['FAILED', `The address is on the suppression list: it was put there by the project. ${mayHaveArrived}`],
      ['FAILED', `The address of the contact was changed before the email was attempted again. ${mayHaveArrived}`],
      ['SENT', null],
    ])
    expect(subjects.map(handedOver)).toEqual([1, 1, 1, 2])
    await runUntil(world, ctx, id, 'SENT')
    await counted(world)
    const figures = { totalRecipients: 4, sentCount: 1, failedCount: 3, suppressedCount: 0 }
    expect(await getCampaignStats(ctx, { id })).toMatchObject(figures)
  })

  test('has not failed when its recipient opens it after all', async () => {
    const { id, ids, subjects } = await lost(['ada'])
    await changeSubscription(ctx, { id: ids[0] ?? '', subscribed: false, source: 'api' })
    expect(await ends()).toMatchObject([['FAILED', expect.stringContaining(mayHaveArrived)]])
    const token = world.vault.sign('tracked mail', [projectId, subjects[0]?.emailId ?? ''])
    const opened = (userAgent: string) => recordOpen({ ...ctx, client: { ...ctx.client, userAgent } }, { token, method: 'GET' })
    await opened('Googlebot/2.1')
    expect(await ends()).toMatchObject([['FAILED', expect.anything()]])
    await opened('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
    expect(await ends()).toMatchObject([['OPENED', expect.anything()]])
    await runUntil(world, ctx, id, 'SENT')
    await counted(world)
    const figures = { sentCount: 1, failedCount: 0, openedCount: 1, machineOpens: 1 }
    expect(await getCampaignStats(ctx, { id })).toMatchObject(figures)
  })

  test.each(['page', 'one-click'])('has arrived when its recipient unsubscribes with a link of it: by %s', async (how) => {
    const { subjects } = await lost(['ada', 'bob'])
    for (const subject of subjects) {
      const token = contactLinks(world, subject).unsubscribeUrl.split('/').at(-1) ?? ''
      await changePreferences(ctx, { page: 'unsubscribe', token, ...(how === 'one-click' && { listUnsubscribe: 'One-Click' }) })
    }
    expect(await ends()).toEqual([
      ['SENT', null],
      ['SENT', null],
    ])
    expect(subjects.map(handedOver)).toEqual([1, 1])
  })

  test('has not arrived by an unsubscription with a link of another email', async () => {
    const { subjects } = await lost(['ada'])
    const subject = { projectId, contactId: subjects[0]?.contactId ?? '' }
    const [other] = await world.db.prisma.email.findMany({ where: { projectId } })
    const copy = { ...other, id: `${other?.id}2`, campaignId: null } as NonNullable<typeof other>
    await world.db.prisma.email.create({ data: { ...copy, status: 'SENT' } })
    const token =
      contactLinks(world, { ...subject, emailId: copy.id })
        .unsubscribeUrl.split('/')
        .at(-1) ?? ''
    await changePreferences(ctx, { page: 'unsubscribe', token })
    expect((await ends())[0]).toEqual(['FAILED', `The contact has unsubscribed from marketing emails. ${mayHaveArrived}`])
  })

  test('that is cancelled, or whose campaign is, says so', async () => {
    const { id } = await lost(['ada'])
    await cancelCampaign(ctx, { id })
    await runUntil(world, ctx, id, 'CANCELLED')
    await step(world)
    expect(await ends()).toEqual([['CANCELLED', `The campaign was cancelled. ${mayHaveArrived}`]])
    server.answer = async () => ({ kind: 'deferred', response: 'The connection was lost.', uncertain: true })
    const single = await accept(ctx, { to: 'bob@example.com' })
    await deliver(world)
    const cancelled = await cancelEmail(ctx, { id: single.id })
    expect(cancelled).toMatchObject({ status: 'CANCELLED', reason: `It was cancelled before it was attempted again. ${mayHaveArrived}` })
  })
})
