import { expect, test } from 'vitest'
import type { TransportProblem } from '../../../../src/kit/transport-problem.ts'
import { checkTransport } from '../../../../src/modules/emails/delivery/transport.ts'
import { deliverEmails } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const refused: TransportProblem = { reason: 'connect ECONNREFUSED 127.0.0.1:25', advice: 'Check host and port in EMAIL_TRANSPORT.' }
let problem: TransportProblem | null = null
const mailServer = {
  send: async () =>
    problem ? { kind: 'deferred' as const, response: problem.reason, problem } : { kind: 'accepted' as const, response: '250 ok' },
  check: async () => problem,
  async close() {},
}
const world = await testWorld({ mailServer })

test('while the mail server cannot be used nothing is attempted; once it can, emails are sent without waiting for a retry', async () => {
  const { ctx, projectId } = await sendingProject(world)
  problem = refused
  const first = await accept(ctx)
  await turnAndSweep(world, 0)
  expect(await getEmail(ctx, first)).toMatchObject({ status: 'PENDING', attempts: 1, reason: refused.reason })
  const second = await accept(ctx)
  for (let minute = 0; minute < 13; minute++) {
    await deliverEmails(world, { turns: [[projectId, 'transactional']] })
    await turnAndSweep(world, 60_000)
    await checkTransport(world)
  }
  expect(await getEmail(ctx, first)).toMatchObject({ status: 'PENDING', attempts: 1 })
  expect(await getEmail(ctx, second)).toMatchObject({ status: 'PENDING', attempts: 0, reason: null })
  problem = null
  await checkTransport(world)
  await turnAndSweep(world, 0)
  expect(await getEmail(ctx, first)).toMatchObject({ status: 'SENT', attempts: 2, reason: null })
  expect(await getEmail(ctx, second)).toMatchObject({ status: 'SENT', attempts: 1, reason: null })
})
