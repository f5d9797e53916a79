import type { World } from '../../src/kit/world.ts'
import { appendEvents, type LogLine } from '../../src/modules/events/log.ts'

/** Appends lines to a project's log, as an operation does; returns their ids. */
export function logEvents(world: World, projectId: string, lines: LogLine[], at = world.clock.now()): Promise<string[]> {
  return world.db.transaction((tx) => appendEvents(tx, world, { projectId, at, lines }))
}

/** Appends a line of each name to a project's log, as an operation does. */
export async function appendLines(world: World, projectId: string, ...names: string[]): Promise<void> {
  await logEvents(
    world,
    projectId,
    names.map((name) => ({ name })),
  )
}
