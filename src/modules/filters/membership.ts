import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { perWorld } from '../../kit/world.ts'
import type { FindMembership, Membership } from './compile.ts'
import { hasRow, type RowScope, type Rows } from './operators/rows.ts'
import { findSegments } from './sql.ts'

/**
 * How membership of the segments of a project is found out: of a dynamic one by its condition, at the moment of asking; of a
 * static one by its stored members; nobody is a member of one that does not exist. Parallel lookups are one statement.
 */
export function membershipIn({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>): FindMembership {
  return (segmentId) => lookup(world)({ projectId, segmentId })
}

const maxAtOnce = 500

const lookup = perWorld(({ db }) =>
  batch(async (asked: { projectId: string; segmentId: string }[]): Promise<Membership[]> => {
    const found = new Map<string, Membership>()
    for (const [projectId, group] of Map.groupBy(asked, (one) => one.projectId)) {
      const rows = await db.run(findSegments, [projectId, group.map(({ segmentId }) => segmentId)])
      for (const { id, condition } of rows)
        found.set(
          `${projectId} ${id}`,
          condition ? { kind: 'condition', condition } : { kind: 'members', sql: (scope, is) => hasRow(scope, membersOf(id, scope), is) },
        )
    }
    return asked.map(({ projectId, segmentId }) => found.get(`${projectId} ${segmentId}`) ?? { kind: 'nobody' })
  }, maxAtOnce),
)

const membersOf = (id: string, { bind }: RowScope): Rows => ({
  table: 'segment_members',
  where: (m) => [`${m}.segment_id = ${bind(id)}`],
})
