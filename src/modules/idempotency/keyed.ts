import type { Ctx } from '../../kit/context.ts'
import { fingerprintOf } from './once.ts'

/**
 * Runs an operation under an idempotency key: the given `idempotencyKey`, or else the Idempotency-Key header of the request.
 * The key is bound to the operation and its input. Returns the result, and whether it is a replay of an earlier answer.
 */
export async function keyed<In extends object, Out extends object>(
  ctx: Ctx,
  operation: (ctx: Ctx, input: In) => Promise<Out>,
  input: In,
  idempotencyKey: string | null | undefined,
): Promise<Out & { replayed: boolean }> {
  const { idempotency: header, ...rest } = ctx
  const key = idempotencyKey ?? header?.key
  const answer: Ctx['answer'] = {}
  const idempotency =
    key === undefined ? undefined : { key, fingerprint: fingerprintOf(`graphql ${operation.name}`, JSON.stringify(input)) }
  const result = await operation({ ...rest, answer, ...(idempotency && { idempotency }) }, input)
  if (answer.replayed) ctx.answer.replayed = true
  return { ...result, replayed: answer.replayed ?? false }
}
