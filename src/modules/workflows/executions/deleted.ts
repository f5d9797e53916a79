import type { World } from '../../../kit/world.ts'
import type { DeletedContact } from '../../contacts/shapes.ts'
import { endAll } from './cancel.ts'
import { removeInputsOf } from './inputs/sql.ts'
import { contactDeleted } from './log.ts'
import { emptyExecutions, selectOfContact } from './sql.ts'

const perBatch = 500

/**
 * Cancels the executions of a deleted contact that have not ended, and removes what all of its executions say about it: what started
 * them, and what their steps asked, found out and failed with. That they were there, and how they ended, stays. In batches that each
 * commit; safe to run again.
 */
export async function endExecutionsOfContact(world: World, { projectId, contactId }: DeletedContact): Promise<void> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const found: { id: string }[] = await world.db.run(selectOfContact, [projectId, contactId, after, perBatch])
    const ids = found.map(({ id }) => id)
    const ends = ids.map((id) => ({ projectId, id, reason: contactDeleted }))
    await world.db.transaction(async (tx) => {
      await tx.run(removeInputsOf, [projectId, ids])
      await endAll(tx, world, ends, 'CANCELLED')
      await tx.run(emptyExecutions, [projectId, ids])
    })
    after = ids.length === perBatch ? ids.at(-1) : undefined
  }
}
