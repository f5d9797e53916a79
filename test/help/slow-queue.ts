import type { ClaimedEmail } from '../../src/modules/emails/queue/claim.ts'
import { createQueue, type DeliveryQueue } from '../../src/modules/emails/queue/queue.ts'
import { type Lane, lanes } from '../../src/modules/emails/shapes.ts'
import { accept, sendingProject } from './mails.ts'
import type { TestWorld } from './world.ts'

/** A queue whose deliveries last until they are ended. */
export interface SlowQueue {
  queue: DeliveryQueue
  /** How many deliveries of a project are under way. */
  count(projectId: string): number
  /** Ends some deliveries of a project, oldest first. */
  end(projectId: string, many: number): void
}

/** Opens a queue of its own, whose deliveries hand their emails over when they are ended. */
export function slowQueue(world: TestWorld): SlowQueue {
  const running = new Map<string, (() => void)[]>()
  const deliver = async ({ projectId }: ClaimedEmail): Promise<boolean> => {
    await new Promise<void>((end) => running.set(projectId, [...(running.get(projectId) ?? []), end]))
    return true
  }
  return {
    queue: createQueue(world, { deliver, mayStart: () => true }),
    count: (projectId) => running.get(projectId)?.length ?? 0,
    end(projectId, many) {
      for (const finish of running.get(projectId)?.splice(0, many) ?? []) finish()
    },
  }
}

/** A project with some emails to send in a lane; returns its id. */
export async function backlog(world: TestWorld, count: number, lane: Lane = 'transactional'): Promise<string> {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { to: Array.from({ length: count }, (_, n) => `to${n}@example.com`) })
  await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { lane: lanes.indexOf(lane) } })
  return projectId
}
