import { expect, test } from 'vitest'
import { settleEmail } from '../../../src/modules/emails/delivery/settle.ts'
import { recordBounce } from '../../../src/modules/emails/feedback/record.ts'
import type { LogLine } from '../../../src/modules/events/log.ts'
import { getSecurity } from '../../../src/modules/security/security.ts'
import { logEvents } from '../../help/lines.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { countWholeReputation } from '../../help/reputation.ts'
import { claimed } from '../../help/workers.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()

async function acceptedEmail() {
  const { ctx, projectId } = await sendingProject(world)
  const { id: emailId, contactId } = await accept(ctx, { to: 'ada@example.com' })
  const allTime = async () => {
    await countWholeReputation(world)
    return (await getSecurity(ctx, { id: projectId })).status.allTime
  }
  const log = (name: string, data: LogLine['data']) => logEvents(world, projectId, [{ name, contactId, emailId, data }])
  const markSent = () => world.db.prisma.email.updateMany({ where: { projectId, id: emailId }, data: { sentAt: world.clock.now() } })
  return { projectId, emailId, allTime, log, markSent }
}

test('a bounce that is reported before its email is recorded as sent counts one email', async () => {
  const { projectId, emailId, allTime } = await acceptedEmail()
  const email = await claimed(world, projectId)
  await recordBounce(world, { email: { projectId, emailId }, at: world.clock.now(), recipients: [], reason: '550 5.1.1 No such user' })
  expect(await allTime()).toMatchObject({ total: 1, bounces: 1 })
  await settleEmail(world, email, { kind: 'SENT' })
  expect(await allTime()).toMatchObject({ total: 1, bounces: 1 })
})

test('a bounce that says it was no refusal leaves it to the line of its email to count it', async () => {
  const { allTime, log, markSent } = await acceptedEmail()
  await log('email.bounce', { bounceType: 'Permanent', refused: false })
  expect(await allTime()).toMatchObject({ total: 0, bounces: 1 })
  await markSent()
  await log('email.sent', {})
  expect(await allTime()).toMatchObject({ total: 1, bounces: 1 })
})

test('a bounce of a version that does not say whether it was a refusal is one unless its email is recorded as sent', async () => {
  const refused = await acceptedEmail()
  await refused.log('email.bounce', { bounceType: 'Permanent' })
  expect(await refused.allTime()).toMatchObject({ total: 1, bounces: 1 })
  const returned = await acceptedEmail()
  await returned.markSent()
  await returned.log('email.sent', {})
  await returned.log('email.bounce', { bounceType: 'Permanent' })
  expect(await returned.allTime()).toMatchObject({ total: 1, bounces: 1 })
})
