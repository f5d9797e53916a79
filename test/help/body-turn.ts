import type { Ctx } from '../../src/kit/context.ts'
import { type BodyTurn, bodyTurn } from '../../src/server/large-bodies.ts'

/** The turn of a request whose body has arrived: it keeps its place while its operation is under way. */
export function turnOfWhole(ctx: Ctx): BodyTurn {
  return bodyTurn(ctx, { complete: true })
}
