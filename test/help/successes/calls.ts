import { accounts } from './accounts.ts'
import { audience } from './audience.ts'
import type { Given, Success, Successes } from './given.ts'
import { sends } from './sending.ts'

/** A call for every row and each of its statuses. */
export const successes: Successes = { ...accounts, ...audience, ...sends }

/**
 * How to call a row, such as `PATCH /segments/:id 200`, so that it answers with that status. Fails where that is missing: a call without
 * the ids of its path would look as if the row did not exist.
 */
export async function successOf(row: string, given: Given): Promise<Success> {
  const success = successes[row]
  if (!success) throw new Error(`Add \`${row}\` to test/help/successes: a call of this row that answers with this status.`)
  return success(given)
}
