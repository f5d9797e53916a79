import { expect, test } from 'vitest'
import { getSecurity } from '../../../src/modules/security/security.ts'
import { logEvents } from '../../help/lines.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { countWholeReputation, logMails } from '../../help/reputation.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()

test('what is sent to the mailbox simulator of Amazon SES does not count in the reputation of a project', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const log = async (to: string, names: string[]) => {
    const { id: emailId, contactId } = await accept(ctx, { to })
    await world.db.prisma.email.updateMany({ where: { projectId, id: emailId }, data: { sentAt: world.clock.now() } })
    const lines = names.map((name) => ({ name, contactId, emailId, data: { bounceType: 'Permanent' } }))
    await logEvents(world, projectId, lines)
  }
  await logMails(ctx, { sent: 200 })
  for (const box of ['success', 'bounce', 'bounce+label', 'complaint', 'suppressionlist'])
    await log(`${box}@simulator.amazonses.com`, ['email.sent', 'email.bounce', 'email.complaint'])
  await log('bounce@simulator.amazonses.com.example.com', ['email.sent', 'email.bounce', 'email.complaint'])
  await countWholeReputation(world)
  const { status } = await getSecurity(ctx, { id: projectId })
  expect(status.allTime).toMatchObject({ total: 201, bounces: 1, complaints: 1 })
})
