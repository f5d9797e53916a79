import type { Ctx } from './context.ts'
import { Failure } from './errors.ts'
import { perWorld } from './world.ts'

const maxExports = 4
const retryAfterSeconds = 10

const running = perWorld(() => new Map<string, number>())

/**
 * The pieces of an export, which occupies one of the 4 places of its project in this process from the first piece until it has
 * ended or its caller has gone. Fails with RATE_LIMIT_EXCEEDED when there is none.
 */
export async function* inPlace({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, pieces: () => AsyncGenerator<string, void>) {
  const counts = running(world)
  const others = counts.get(projectId) ?? 0
  if (others >= maxExports)
    throw new Failure('RATE_LIMIT_EXCEEDED', `${maxExports} exports of this project run, which is the maximum.`, {
      suggestion: 'Wait until one has ended.',
      headers: { 'Retry-After': String(retryAfterSeconds) },
    })
  counts.set(projectId, others + 1)
  try {
    yield* pieces()
  } finally {
    const left = (counts.get(projectId) ?? 1) - 1
    if (left === 0) counts.delete(projectId)
    else counts.set(projectId, left)
  }
}
