import type { Ctx } from '../../src/kit/context.ts'
import type { Database, Executor } from '../../src/kit/postgres/db.ts'

const kinds = ['run', 'scans', 'lists'] as const

/** A context like another one that notes which statements it runs, and on what: `scans events_count_names`. */
export function runsOf(ctx: Ctx): { ctx: Ctx; seen: string[] } {
  const seen: string[] = []
  const noting = (kind: (typeof kinds)[number], { run }: Executor): Executor => ({
    run(statement, values) {
      seen.push(`${kind} ${statement.name}`)
      return run(statement, values)
    },
  })
  const noted = (db: Database): Database => ({
    ...db,
    ...noting('run', db),
    scans: noting('scans', db.scans),
    lists: noting('lists', db.lists),
    lasting: () => noted(db.lasting()),
  })
  return { ctx: { ...ctx, db: noted(ctx.db) }, seen }
}
