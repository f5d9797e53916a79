import type { World } from '../../src/kit/world.ts'
import { announceEvents, appendEvents } from '../../src/modules/events/log.ts'

/** Appends a line of each name to a project's log and announces them, as an operation does after its commit. */
export async function appendLines(world: World, projectId: string, ...names: string[]): Promise<void> {
  await appendEvents(
    world.db,
    projectId,
    world.clock.now(),
    names.map((name) => ({ name })),
  )
  announceEvents(world, projectId)
}
