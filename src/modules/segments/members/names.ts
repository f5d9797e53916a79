import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { lockReferences } from '../../filters/segments/needed.ts'
import { selectNames } from '../sql.ts'
import { freeSlug, slugBefore } from './log.ts'
import { findUnnamed, setSlug } from './sql.ts'

const projectsAtOnce = 100

/** Gives slugs to the segments of all projects that an older version of this server has made, as `nameSegments` does. */
export async function nameAllSegments({ db, closing }: Pick<World, 'db' | 'closing'>): Promise<void> {
  for (let found = true; found && !closing.aborted; ) {
    const projects = await db.run(findUnnamed, [projectsAtOnce])
    found = projects.length > 0
    for (const { projectId } of projects) {
      await db.transaction(async (tx) => {
        await lockReferences(tx, projectId)
        await nameSegments(tx, projectId)
      })
    }
  }
}

/**
 * The segments of a project with the names of their events, in a transaction under `lockReferences`. Those that an older version of this
 * server has made are given the names that it has logged; of several with the same one that is one that logs who enters and leaves, the oldest
 * of these.
 */
export async function nameSegments(tx: Transaction, projectId: string) {
  const segments = await tx.run(selectNames, [projectId])
  const unnamed = segments.filter(({ slug }) => slug === null)
  if (unnamed.length === 0) return segments
  const named = segments.filter(({ slug }) => slug !== null)
  for (const segment of [...unnamed.filter(({ logs }) => logs), ...unnamed.filter(({ logs }) => !logs)]) {
    const slug = freeSlug(segment, named, slugBefore(segment))
    named.push({ ...segment, slug })
    await tx.run(setSlug, [projectId, segment.id, slug])
  }
  return named
}
