import type { World } from '../../../kit/world.ts'
import { eventsTopic } from '../log.ts'
import { readEpoch, renewEpoch } from './sql.ts'

/**
 * Makes new lines sort after every line of the log, also of one that comes from another database: from a dump, or from
 * before a failover that lost the newest transactions, whose ids are then used again. A new epoch begins there, and lines of
 * earlier epochs count as settled. A promoted standby begins one by itself, as long as the server lets us read its timeline;
 * otherwise a warning says so. Call it after migrating and before anything writes; safe in several processes at once.
 *
 * @returns the epoch in which lines are written from now on
 */
export async function raiseEpoch({ db, log }: Pick<World, 'db' | 'log'>): Promise<number> {
  await db.run(renewEpoch, [])
  const [{ epoch, followsTimeline } = { epoch: 1, followsTimeline: false }] = await db.run(readEpoch, [])
  if (!followsTimeline) {
    log.warn(
      { epoch },
      'events: the epoch of the log cannot follow the timeline of this PostgreSQL, because this role may not call pg_walfile_name or does not own the function log_epoch. After a failover that loses transactions, restart Postwire before it writes; a subscriber may miss lines otherwise.',
    )
  }
  return epoch
}

/** Calls raiseEpoch now, and again whenever a connection was lost, because the database behind the next one may be another. */
export async function followEpoch(world: World): Promise<void> {
  await raiseEpoch(world)
  world.notices.listen(eventsTopic, (projects) => {
    if (projects || !world.notices.connected()) return
    raiseEpoch(world).catch((error: unknown) => world.log.warn({ err: error }, 'events: the epoch of the log could not be checked'))
  })
}
