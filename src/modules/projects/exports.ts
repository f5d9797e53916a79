import type { Ctx } from '../../kit/context.ts'
import type { Download } from '../../kit/download.ts'
import { Failure } from '../../kit/errors.ts'
import { inPlace } from '../../kit/exports.ts'
import { findEmptied } from './sql.ts'

/**
 * A file of what a project has, made while its caller reads it. Reading it fails as `inPlace` does, and at its end with
 * SERVICE_UNAVAILABLE where the project was reset meanwhile: the file lacks what was removed before it was read.
 */
export function exportOf(ctx: Ctx, filename: string, pieces: () => AsyncGenerator<string, void>): Download {
  return { filename, ...inPlace(ctx, () => unlessEmptied(ctx, pieces)) }
}

async function* unlessEmptied({ db, clock, projectId }: Ctx, pieces: () => AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  const beganAt = clock.now()
  yield* pieces()
  const [emptied] = await db.run(findEmptied, [projectId, beganAt])
  if (emptied) throw new Failure('SERVICE_UNAVAILABLE', 'The project was reset while this file was made, which therefore ends too early.')
}
