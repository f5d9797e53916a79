import { type DocumentNode, GraphQLError } from 'graphql'
import { callerOf, hasOthersThan, restAfter } from '../../kit/callers.ts'
import type { Ctx } from '../../kit/context.ts'
import { createShare } from '../../kit/share.ts'
import { perWorld } from '../../kit/world.ts'
import { checkCall } from './checks.ts'
import type { Engine } from './engine.ts'
import type { RequestParameters } from './parameters.ts'

/** What is asked for, as it was sent. */
interface Asked {
  query: string
  operationName?: string | null
  variables?: unknown
}

const maxSmallLength = 2_000

// To parse, validate and weigh the largest document takes more than ten milliseconds, in which nobody else is answered. Who sends many
// has one at a time looked at, with rests while others call, the longer the more of them do so; and however many send some, all
// documents together take half of the time.
const sharesOf = perWorld((world) => ({
  inShare: createShare({
    max: Number.POSITIVE_INFINITY,
    maxPerOwner: 1,
    busy: 'Other documents of this project or person are being validated at the moment.',
    restOf: (owner, { busyMs, turns }) => (hasOthersThan(world, owner, busyMs) ? restAfter(busyMs * turns) : 0),
  }),
  halfOfTheTime: createHalfTime(),
}))

// Begins work one after the other; what each keeps the thread busy for when it begins, others have before the next one.
function createHalfTime(): <Result>(begin: () => Promise<Result>) => Promise<Result> {
  let last = Promise.resolve()
  return async (begin) => {
    const before = last
    const rested = Promise.withResolvers<void>()
    last = rested.promise
    await before
    const began = performance.now()
    try {
      return begin()
    } finally {
      setTimeout(rested.resolve, performance.now() - began)
    }
  }
}

/**
 * Looks at a document in turn, unless it is short and known: what has to be known of it before it runs. Fails with SERVICE_UNAVAILABLE
 * when the turn has not come after 15 s or the caller has left.
 */
export function lookAtInTurn<Result>(
  engine: Pick<Engine, 'isParsed'>,
  ctx: Ctx,
  query: string,
  look: () => Promise<Result>,
): Promise<Result> {
  if (query.length <= maxSmallLength && engine.isParsed(query)) return look()
  const { inShare, halfOfTheTime } = sharesOf(ctx.world)
  return inShare(callerOf(ctx), () => halfOfTheTime(look), { ended: ctx.left?.() })
}

/**
 * Looks at what was sent over HTTP before it runs, in turn: what it finds out is not found out again. What cannot be run is refused
 * later. Fails as `lookAtInTurn` does.
 */
export async function prepare(engine: Engine, ctx: Ctx, asked: RequestParameters): Promise<void> {
  if (!isAsked(asked)) return
  await lookAtInTurn(engine, ctx, asked.query, async () => {
    const { parse, validate, schema } = engine.getEnveloped(ctx as never)
    const document = parsed(parse, asked.query)
    if (!document || validate(schema, document).length > 0) return
    const { operationName = null, variables = null } = asked
    if (isObject(variables)) checkCall({ document, operationName, variableValues: variables, contextValue: ctx })
  })
}

// The error of a document that cannot be parsed is found again when it is refused.
function parsed(parse: (text: string) => DocumentNode, text: string): DocumentNode | null {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof GraphQLError) return null
    throw error
  }
}

function isObject(variables: unknown): variables is Record<string, unknown> | null {
  return typeof variables === 'object' && !Array.isArray(variables)
}

function isAsked(sent: RequestParameters): sent is RequestParameters & Asked {
  const { query, operationName } = sent
  return typeof query === 'string' && (operationName === undefined || operationName === null || typeof operationName === 'string')
}
