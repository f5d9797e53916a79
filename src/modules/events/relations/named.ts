import { loader, type Reading } from '../../../kit/load.ts'
import { selectNamed } from '../sql.ts'

const loadNamed = loader(({ db, projectId }, ids) => db.run(selectNamed, [projectId, ids]))

/** What a line of the log that the platform wrote names: its campaign and its execution. The lines of concurrent calls are one statement. */
export async function findNamed(ctx: Reading, { id }: { id: string }): Promise<{ campaignId: string | null; executionId: string | null }> {
  return (await loadNamed(ctx, { id }, {})) ?? { campaignId: null, executionId: null }
}
