import type { World } from '../../../kit/world.ts'
import { lockReferences } from '../../filters/segments/needed.ts'
import { selectNames } from '../sql.ts'
import { freeSlug } from './log.ts'
import { findUnnamed, setSlug } from './sql.ts'

const projectsAtOnce = 100

/** Gives slugs to the segments that an older version of this server has made, the oldest first: up to 100 projects at once. */
export async function nameSegments({ db }: Pick<World, 'db'>): Promise<void> {
  for (const { projectId } of await db.run(findUnnamed, [projectsAtOnce])) {
    await db.transaction(async (tx) => {
      await lockReferences(tx, projectId)
      const segments = await tx.run(selectNames, [projectId])
      const named = segments.filter(({ slug }) => slug !== null)
      for (const segment of segments.filter(({ slug }) => slug === null)) {
        const slug = freeSlug(segment, named)
        named.push({ ...segment, slug })
        await tx.run(setSlug, [projectId, segment.id, slug])
      }
    })
  }
}
