import { batch, readsBeside } from '../../../kit/batch.ts'
import { countsOf } from '../../../kit/counts.ts'
import type { Reading } from '../../../kit/load.ts'
import { type Connection, type ConnectionArgs, connect } from '../../../kit/paging.ts'
import { perWorld } from '../../../kit/world.ts'
import { isReservedEventName } from '../events.ts'
import { countEventsOfContacts, findNameErasures } from '../sql.ts'

const maxAtOnce = 500

/**
 * The events of a contact, which were read with it, as a connection. Events whose name is being removed are left out: then
 * the page is shorter, and its cursors still lead to the next one.
 */
export async function connectEventsOf<Line extends { id: string; name: string }>(
  ctx: Reading,
  { id: contactId, events }: { id: string; events: Line[] },
  args: ConnectionArgs,
): Promise<Connection<Line>> {
  const { world, projectId } = ctx
  const names = [...new Set(events.map(({ name }) => name))].filter((name) => !isReservedEventName(name))
  const upTo = await erasedUpToInBatch(world)({ projectId, names })
  const { edges, ...connection } = connect(events, args, () => countInBatch(ctx, contactId))
  return { ...connection, edges: edges.filter(({ node }) => node.id > (upTo.get(node.name) ?? '')) }
}

// Concurrent calls are one statement.
const countInBatch = countsOf(countEventsOfContacts)

// Up to which id the events of names are being removed, by name.
const erasedUpToInBatch = perWorld(({ db }) =>
  batch(
    async (calls: { projectId: string; names: string[] }[]) => {
      const asked = new Map(calls.flatMap(({ projectId, names }) => names.map((name) => [`${projectId} ${name}`, { projectId, name }])))
      const keys = [...asked.values()]
      const found = await db.run(findNameErasures, [keys.map(({ projectId }) => projectId), keys.map(({ name }) => name)])
      const byProject = Map.groupBy(found, ({ projectId }) => projectId)
      return calls.map(({ projectId }) => new Map((byProject.get(projectId) ?? []).map(({ name, before }) => [name, before])))
    },
    maxAtOnce,
    readsBeside,
  ),
)
