import type { Ctx } from '../../src/kit/context.ts'
import type { LogLine } from '../../src/modules/events/log.ts'
import { countReputation } from '../../src/modules/security/count.ts'
import { logEvents } from './lines.ts'
import { logSettled, type TestWorld } from './world.ts'

/** Logs outcomes of a project's emails, at the current time of the world. */
export async function logMails(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { sent = 0, bounces = 0, complaints = 0, soft = 0 }: { sent?: number; bounces?: number; complaints?: number; soft?: number },
): Promise<void> {
  const lines = (count: number, line: LogLine) => Array.from({ length: count }, () => line)
  await logEvents(world, projectId, [
    ...lines(sent, { name: 'email.sent' }),
    ...lines(bounces, { name: 'email.bounce', data: { bounceType: 'Permanent' } }),
    ...lines(soft, { name: 'email.bounce', data: { bounceType: 'Transient' } }),
    ...lines(complaints, { name: 'email.complaint' }),
  ])
}

/** Counts the whole log into the reputations. */
export async function countWholeReputation(world: TestWorld): Promise<void> {
  await logSettled(world)
  while (await countReputation(world));
}
