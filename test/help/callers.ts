import { callerOf, callersOf, nameOf } from '../../src/kit/callers.ts'
import type { Ctx } from '../../src/kit/context.ts'

/** Makes the caller of a context one of those who have called lately, as every request does. */
export function hasCalled(ctx: Ctx): void {
  callersOf(ctx.world).add(nameOf(callerOf(ctx)))
}
