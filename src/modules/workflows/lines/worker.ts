import { loop } from '../../../kit/loop.ts'
import { isTransient } from '../../../kit/postgres/db.ts'
import { createSignal } from '../../../kit/signal.ts'
import { createTurns } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { isLineFailure, setLineAside } from '../../events/reader/reader.ts'
import { readerName } from '../triggers/sql.ts'
import { followBacklog } from '../triggers/triggers.ts'
import { dueLinesTopic } from '../wake.ts'
import { type DueProject, findDueProjects, findEmptyBacklogs, removeLines, selectLines } from './sql.ts'
import { takeTurn, turnLimits } from './turn.ts'

const maxAtOnce = 3
// Of one account: there is always room for another.
const maxPerOwner = 2
const projectsPerBatch = 200
const everyMs = 1_000
// Until executions that are on their way rest.
const laterMs = 100
/** How often a line may fail by itself before it is set aside. */
export const maxFailures = 5

const handlingOf = perWorld((world) => ({
  turns: createTurns({ max: maxAtOnce, maxPerOwner }),
  /** The projects that have, or wait for, a turn in this process. */
  running: new Map<string, Promise<number>>(),
  /** Those of them that were found to have lines once more. */
  wanted: new Set<string>(),
  /** How often the lines of projects have failed in a row; after a failure they are handled one by one. */
  failures: new Map<string, number>(),
  again: createSignal(world.closing),
}))

/** Lets events start, end and wake executions, as notices say that there are some, and at least once a second. */
export function startHandling(world: World): void {
  const { again, running } = handlingOf(world)
  const handling = loop(world, { name: 'workflow events', everyMs, topic: dueLinesTopic, signal: again, work: () => handleDue(world) })
  world.atClose(async () => {
    await handling
    await Promise.all(running.values())
  })
}

/** Begins to handle the lines of all projects that have some, in turns of their owners. */
export async function handleDue(world: World): Promise<false> {
  const { running, wanted } = handlingOf(world)
  for (const due of await world.db.lookups.run(findEmptyBacklogs, [projectsPerBatch])) begin(due)
  for (let after: string | undefined = ''; after !== undefined && !world.closing.aborted; ) {
    const found: DueProject[] = await world.db.lookups.run(findDueProjects, [after, projectsPerBatch])
    for (const due of found) begin(due)
    after = found.length === projectsPerBatch ? found.at(-1)?.projectId : undefined
  }
  return false

  function begin(due: DueProject): void {
    const { projectId } = due
    if (running.has(projectId)) return void wanted.add(projectId)
    const work = handleProject(world, due).finally(() => running.delete(projectId))
    running.set(projectId, work)
  }
}

/** Handles what can be handled now, and returns how many lines that were. */
export async function handleAll(world: World): Promise<number> {
  await handleDue(world)
  const counts = await Promise.all(handlingOf(world).running.values())
  return counts.reduce((sum, count) => sum + count, 0)
}

// Turn by turn: others have theirs in between.
async function handleProject(world: World, { projectId, owner }: DueProject): Promise<number> {
  const { turns, again, wanted } = handlingOf(world)
  let count = 0
  while (!world.closing.aborted) {
    wanted.delete(projectId)
    const { handled, left } = await turns.run([owner, projectId], () => takeSafely(world, projectId))
    count += handled
    if (left === 'later') setTimeout(() => again.notify(), laterMs).unref()
    if (left === 'none' && wanted.has(projectId)) continue
    if (left !== 'more') break
  }
  return count
}

async function takeSafely(world: World, projectId: string): ReturnType<typeof takeTurn> {
  const { failures } = handlingOf(world)
  const failed = failures.get(projectId) ?? 0
  try {
    await followBacklog(world, projectId)
    const done = await takeTurn(world, projectId, failed > 0 ? 1 : turnLimits.lines)
    if (failed > 1) failures.set(projectId, failed - 1)
    else failures.delete(projectId)
    return done
  } catch (error) {
    return recover(world, projectId, { error, failed })
  }
}

// What the state of the database is to blame for is tried again later, with a single line if it took too long.
async function recover(
  world: World,
  projectId: string,
  { error, failed }: { error: unknown; failed: number },
): ReturnType<typeof takeTurn> {
  const { failures } = handlingOf(world)
  if (isTransient(error) && !isLineFailure(error)) {
    world.log.debug({ err: error, project: projectId }, 'workflows: events will be handled later')
    return { handled: 0, left: 'none' }
  }
  failures.set(projectId, failed + 1)
  world.log.warn({ err: error, project: projectId }, 'workflows: events of a project could not be handled and will be tried one by one')
  if (failed < maxFailures || !isLineFailure(error)) return { handled: 0, left: failed < maxFailures ? 'more' : 'none' }
  failures.set(projectId, 1)
  await setFirstAside(world, projectId, error)
  return { handled: 1, left: 'more' }
}

async function setFirstAside(world: World, projectId: string, error: unknown): Promise<void> {
  await world.db.transaction(async (tx) => {
    const [line] = await tx.run(selectLines, [projectId, 1])
    if (!line) return
    await setLineAside(tx, world, { reader: readerName, projectId, id: line.id, error })
    await tx.run(removeLines, [projectId, [line.place]])
  })
}
