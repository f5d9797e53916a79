import { expect, test } from 'vitest'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { getSecurity } from '../../../src/modules/security/security.ts'
import { startWorker } from '../../../src/server/worker.ts'
import { sendingProject } from '../../help/mails.ts'
import { mailServer } from '../../help/smtp.ts'
import { until } from '../../help/until.ts'
import { testWorld } from '../../help/world.ts'

const server = await mailServer({ refuse: (to) => (to.startsWith('gone') ? { code: 550, message: '5.1.1 no such user' } : null) })
const world = await testWorld({ env: { EMAIL_TRANSPORT: server.url }, running: true })
await startWorker(world)

test('a worker suspends a project with too many refused addresses, and its waiting emails are not sent', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const send = (to: string[], more: object = {}) =>
    sendEmail(ctx, SendDraft.parse({ to, from: 'hello@demo.test', subject: 'Hi', body: 'Hi', ...more }))
  await send([
    ...Array.from({ length: 90 }, (_, at) => `there${at}@example.com`),
    ...Array.from({ length: 10 }, (_, at) => `gone${at}@example.com`),
  ])
  await until(async () => (await getSecurity(ctx, { id: projectId })).isDisabled)
  expect(await getSecurity(ctx, { id: projectId })).toMatchObject({
    status: { allTime: { total: 100, bounces: 10, bounceRate: 10, complaints: 0 }, isNewProject: true },
    levels: { bounce7Day: 'critical', bounceAllTime: 'critical', complaint7Day: 'healthy' },
    recentSuspensions: [{ reason: 'EMAIL_REPUTATION', liftedAt: null }],
  })
  // Accepted by a call that was under way when the project was suspended.
  const { emails } = await send(['late@example.com'])
  const where = { projectId_id: { projectId, id: emails[0]?.email ?? '' } }
  await until(async () => (await world.db.prisma.email.findUniqueOrThrow({ where })).status === 'FAILED')
  expect(await world.db.prisma.email.findUniqueOrThrow({ where })).toMatchObject({ reason: 'The project is disabled.', sentAt: null })
  expect(server.mails.some(({ to }) => to.includes('late@example.com'))).toBe(false)
})
