import { expect, test } from 'vitest'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { suppressBounced } from '../../../../src/modules/emails/delivery/settle.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { claimed, twoWorkers } from '../../../help/workers.ts'

const { world, other, sent, stop } = await twoWorkers()

test('an email whose worker stops between suppressing its address and recording the bounce ends BOUNCED, and is not sent again', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  await suppressBounced(world, await claimed(world, projectId), '550 5.1.1 no such user')
  await stop()
  await deliverClaimed(other, await claimed(other, projectId))
  expect(sent).toEqual([])
  expect(await getEmail(ctx, { id })).toMatchObject({
    status: 'BOUNCED',
    bouncedAt: other.clock.now(),
    reason: 'The mail server refused the email for good. Its answer was lost, because the worker stopped before it was recorded.',
  })
  const lines = (await logOf(ctx)).filter(({ name }) => name !== 'contact.unsubscribed')
  expect(lines).toMatchObject([{ name: 'email.bounce', data: { refused: true, bounceType: 'Permanent' } }])
  const { id: next } = await accept(ctx)
  await deliverClaimed(other, await claimed(other, projectId))
  expect(await getEmail(ctx, { id: next })).toMatchObject({
    status: 'SUPPRESSED',
    reason: expect.stringContaining('an earlier email to it bounced'),
  })
})
