import { afterAll, expect, test } from 'vitest'
import { deliveryIdle, sweepEmails } from '../../../../src/modules/emails/delivery/worker.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { freshUser } from '../../../help/people.ts'
import { pipeliningServer } from '../../../help/pipelining.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const answers: (() => void)[] = []
const open = { asked: 0, isOver: false }
const server = await pipeliningServer(async (command) => {
  if (command.startsWith('RCPT TO:<slow') && !open.isOver) {
    open.asked++
    await new Promise<void>((resolve) => answers.push(resolve))
  }
  return undefined
})
const world = await testWorld({ env: { EMAIL_TRANSPORT: server.url, SMTP_CONNECTIONS: '4' } })
afterAll(answerAll)

function answerAll(): void {
  open.isOver = true
  for (const answer of answers.splice(0)) answer()
}

const leftOf = (projectId: string): Promise<number> => world.db.prisma.delivery.count({ where: { projectId } })

test('emails that the mail server takes long for hold no places, memory and connections of others, however many projects their account has', async () => {
  const slow = await Promise.all([1, 2, 3].map(() => sendingProject(world)))
  await freshUser(world, { member: slow.map(({ projectId }) => ({ projectId, role: 'OWNER' as const })) })
  const to = Array.from({ length: 40 }, (_, at) => `slow${at}@example.com`)
  // 30 of them would take all memory for emails of their size.
  const body = `<p>${'x'.repeat(200_000)}</p>`
  for (const { ctx } of slow) await accept(ctx, { to, body })
  await sweepEmails(world)
  await until(async () => open.asked >= 4)
  const quick = await sendingProject(world)
  for (let at = 0; at < 5; at++) {
    await accept(quick.ctx, { to: [1, 2, 3, 4].map((n) => `quick${at}-${n}@example.com`), body })
    await sweepEmails(world)
    await until(async () => (await leftOf(quick.projectId)) === 0)
  }
  // Those under way, as many that wait, and those that began at other places, which nobody else wants.
  await until(async () => {
    const held = await Promise.all(
      slow.map(({ projectId }) => world.db.prisma.delivery.count({ where: { projectId, worker: { not: null } } })),
    )
    return held.reduce((sum, count) => sum + count, 0) <= 12
  })
  expect(server.open()).toBeLessThanOrEqual(12)
  answerAll()
  await until(async () => {
    await sweepEmails(world)
    const left = await Promise.all(slow.map(({ projectId }) => leftOf(projectId)))
    return left.every((count) => count === 0)
  })
  await deliveryIdle(world)
  const sent = server.commands.flat().filter((command) => command === '<CONTENT>').length
  expect(sent).toBe(3 * 40 + 20)
})
