import { readerOfProjects } from '../../kit/load.ts'
import { selectChosen } from './sql.ts'

/** When the condition of a segment was chosen; null for one that does not exist. */
export const whenChosen = readerOfProjects(async ({ world, projectId }, ids: string[]): Promise<(Date | null)[]> => {
  const rows = new Map((await world.db.run(selectChosen, [projectId, [...new Set(ids)]])).map(({ id, since }) => [id, since]))
  return ids.map((one) => rows.get(one) ?? null)
}, 500)
