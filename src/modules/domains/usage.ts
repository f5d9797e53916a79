import { batch, readsBeside } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { perWorld } from '../../kit/world.ts'
import { type DomainUser, findUsersOf } from './sql.ts'

/** What sends from a domain, newest first, and whether the domain can be deleted: nothing does. */
export interface DomainUsage {
  templates: { id: string }[]
  campaigns: { id: string }[]
  canDelete: boolean
}

/**
 * The templates that send from a domain, and the campaigns that are scheduled or being sent from it, at most 500 of each; all calls of
 * one turn of the event loop are one statement.
 */
export async function findDomainUses(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { domain }: { domain: string },
): Promise<DomainUsage> {
  const users = await usersOf(world)({ projectId, domain })
  const of = (wanted: DomainUser['kind']) => users.filter(({ kind }) => kind === wanted)
  return { templates: of('template'), campaigns: of('campaign'), canDelete: users.length === 0 }
}

const maxAtOnce = 100

const usersOf = perWorld(({ db }) =>
  batch(
    async (asked: { projectId: string; domain: string }[]) => {
      const rows = await db.run(findUsersOf, [asked.map(({ projectId }) => projectId), asked.map(({ domain }) => domain)])
      const found = Map.groupBy(rows, ({ projectId, domain }) => `${projectId} ${domain}`)
      return asked.map(({ projectId, domain }) => found.get(`${projectId} ${domain}`) ?? [])
    },
    maxAtOnce,
    readsBeside,
  ),
)
