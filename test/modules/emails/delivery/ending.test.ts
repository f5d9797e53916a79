import { expect, test } from 'vitest'
import type { SmtpPool } from '../../../../src/kit/mailer.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

test('an email whose connection cannot be renewed because the process is ending is left to another one, and no attempt is counted', async () => {
  const none = async () => undefined
  const server: SmtpPool = {
    connect: async () => ({
      unavailable: null,
      send: async () => null,
      // As one that waits for another place does.
      async renew() {
        world.announceClosing()
        world.closing.throwIfAborted()
      },
      release: () => undefined,
    }),
    maxUnderWay: () => 4,
    send: async () => ({ kind: 'accepted', reply: '250 ok' }) as never,
    check: async () => null,
    close: none,
  }
  const world = await testWorld({ mailServer: server as never })
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx)
  await turnAndSweep(world, 0)
  expect(await ctx.db.prisma.delivery.findMany({ where: { projectId }, select: { attempts: true, due: true, reason: true } })).toEqual([
    { attempts: 0, due: null, reason: null },
  ])
})
