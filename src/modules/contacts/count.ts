import type { Ctx } from '../../kit/context.ts'
import { countFiltered, isFiltered } from '../../kit/postgres/totals.ts'
import { type ContactSearchSql, contacts, sumContacts } from './sql.ts'

/** The number of contacts that match: of all contacts exact, of some of them exact up to 100,000, above that at most 60 s old. */
export async function countContacts({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, filter: ContactSearchSql): Promise<number> {
  if (isFiltered(filter)) return countFiltered(world, contacts, projectId, filter)
  return (await world.db.run(sumContacts, [projectId]))[0]?.count ?? 0
}
