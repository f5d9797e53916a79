import { callIn } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { refreshSegment } from '../count.ts'
import { everyMs } from '../segments.ts'
import { computeMembers } from './compute.ts'
import { findProjectsDue, postpone, type SegmentDue, takeSegmentDue } from './sql.ts'

// A run ends before the next one begins, unless its last segment takes long.
const maxRunMs = 50_000
const projectsAtOnce = 100
const changesPerTurn = 20_000
/** How long a segment may take before it is reported. */
const slowMs = 5_000
// A count is refreshed more rarely the longer it takes: it takes at most one 5,000th of the time, and those of 500 segments
// together a tenth of that of one connection.
const restPerMs = 5_000
const maxRestMs = 24 * 3_600_000

/**
 * Computes the members of tracked segments, each every 5 minutes, and refreshes the counts of the others, at most every 5
 * minutes and the more rarely the longer they take. Works on one segment at a time, and projects take turns, so that one with
 * many slow segments delays the others by one of them, and one with very many changes by 20,000 of these. Slow and failing
 * segments are reported in the log. Ends after `forMs`, or when nothing is due; safe in several workers, and to run again after a crash.
 */
export async function recomputeSegments(world: World, forMs = maxRunMs): Promise<void> {
  const started = performance.now()
  const mayContinue = () => !world.closing.aborted && performance.now() - started < forMs
  for (let found = true; found && mayContinue(); ) {
    const projects = await world.db.run(findProjectsDue, [world.clock.now(), projectsAtOnce])
    found = false
    for (const { projectId } of projects) {
      if (!mayContinue()) return
      if (await recomputeNext(world, projectId)) found = true
    }
  }
}

async function recomputeNext(world: World, projectId: string): Promise<boolean> {
  const now = world.clock.now()
  const next = new Date(now.getTime() + everyMs)
  const [segment] = await world.db.run(takeSegmentDue, [projectId, now, next])
  if (!segment) return false
  const started = performance.now()
  const isPartial = await recompute(world, projectId, segment)
  if (isPartial) await world.db.run(postpone, [projectId, segment.id, now, next])
  const tookMs = Math.round(performance.now() - started)
  if (tookMs > slowMs) world.log.warn({ projectId, segmentId: segment.id, tookMs }, 'segments: a segment took long to compute')
  const restMs = Math.min(tookMs * restPerMs, maxRestMs)
  if (!segment.tracked && restMs > everyMs) await world.db.run(postpone, [projectId, segment.id, new Date(now.getTime() + restMs), next])
  return true
}

// Returns whether more is left to change.
async function recompute(world: World, projectId: string, { id, tracked }: SegmentDue): Promise<boolean> {
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  try {
    if (tracked) return (await computeMembers(ctx, id, changesPerTurn))?.isPartial ?? false
    await refreshSegment(ctx, { id })
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Deleted meanwhile.
    if (error.status !== 404) world.log.warn({ err: error, projectId, segmentId: id }, 'segments: a segment could not be computed')
  }
  return false
}
