import type { Ctx } from '../../src/kit/context.ts'

/** A call in which something else happens each time when it is its turn to read large values, whose sizes it has read. */
export function meanwhile(ctx: Ctx, happens: () => Promise<unknown>): Ctx {
  const { run: read } = ctx.db.large
  const run: typeof read = async (...args) => {
    await happens()
    return read(...args)
  }
  return { ...ctx, db: { ...ctx.db, large: { run } } }
}
