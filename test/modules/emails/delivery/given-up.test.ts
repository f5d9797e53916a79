import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { awaitRenderer } from '../../../../src/modules/emails/delivery/renderers.ts'
import { deliverEmails } from '../../../../src/modules/emails/delivery/worker.ts'
import type { ClaimedEmail } from '../../../../src/modules/emails/queue/claim.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

// So much that a project waits after each email until the others have had their time.
const world = await testWorld({ env: { RENDER_BUDGET_MS: '200' } })
const endlessStep = `{% assign words = text | split: "," ${'| sort | reverse | sort_natural '.repeat(6)}%}{{ words.size }}`
const text = Array.from({ length: 140_000 }, (_, at) => (at * 7_919) % 140_009).join(',')

test('emails of a content that was given up fail at once, without waiting for their turn among the slow templates', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const to = Array.from({ length: 14 }, (_, n) => `to${n}@example.com`)
  await accept(ctx, { to, body: endlessStep, data: { text: { value: text, persistent: false } } })
  const emails = await world.db.prisma.email.findMany({
    where: { projectId },
    select: { id: true, contentId: true },
    orderBy: { id: 'asc' },
  })
  const later = { projectId, emailId: { in: emails.slice(10).map(({ id }) => id) } }
  await world.db.prisma.delivery.updateMany({ where: later, data: { due: world.clock.now() } })
  const deliver = () => deliverEmails(world, { turns: [[projectId, 'transactional']] })
  const failed = () => world.db.prisma.email.count({ where: { projectId, status: 'FAILED' } })
  await deliver()
  await until(async () => (await failed()) === 10)

  // Of an email only what decides about its turn.
  const one = { projectId, contentId: emails[0]?.contentId, lane: 'transactional' } as ClaimedEmail
  const turn = await awaitRenderer(world, one)
  await world.db.prisma.delivery.updateMany({ where: later, data: { due: null } })
  await deliver()
  await until(async () => (await failed()) === 14)

  const next = awaitRenderer(world, one)
  turn.leave()
  const granted = await Promise.race([next, nextTurn('not granted')])
  expect(granted).toMatchObject({ leave: expect.any(Function) })
  ;(await next).leave()
})
