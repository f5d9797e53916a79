import type { Ctx } from '../../../kit/context.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { actorOfChange } from '../../projects/changes.ts'
import { keepVersion } from './sql.ts'

/**
 * Keeps what a template says now as a version that the caller has saved, if that is something else than before. The template is locked,
 * or new.
 */
export async function saveVersion(
  { clock, projectId, actor }: Pick<Ctx, 'clock' | 'projectId' | 'actor'>,
  tx: Transaction,
  { id }: { id: string },
): Promise<void> {
  await tx.run(keepVersion, [projectId, id, JSON.stringify(actorOfChange(actor)), clock.now()])
}
