import type { ErasingDatabase } from '../../kit/postgres/erase.ts'
import type { World } from '../../kit/world.ts'
import type { ProjectResetJob } from './shapes.ts'
import { holdRunning } from './sql.ts'

/** What the steps of a reset may use of the world. */
export interface ErasingWorld extends Pick<World, 'clock' | 'vault'> {
  db: ErasingDatabase
}

/** A reset has finished, or was replaced by a deletion, so that its steps must not remove anything any more. */
export class ResetEnded extends Error {}

/**
 * The world for the steps of a reset: each statement and transaction throws `ResetEnded`, and changes nothing, once the reset has ended,
 * which waits for those that have begun. A process may stand still anywhere for longer than its job lasts. Then another one finishes the
 * reset, and what is accepted after that must stay.
 */
export function fenced({ db, clock, vault }: ErasingWorld, { projectId, id }: ProjectResetJob): ErasingWorld {
  const transaction: ErasingDatabase['transaction'] = (work, tries) =>
    db.transaction(async (tx) => {
      const [running] = await tx.run(holdRunning, [projectId, id])
      if (!running) throw new ResetEnded('The reset has ended')
      return work(tx)
    }, tries)
  return { clock, vault, db: { transaction, run: (statement, values) => transaction((tx) => tx.run(statement, values)) } }
}
