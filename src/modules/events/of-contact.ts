import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { countsOf } from '../../kit/counts.ts'
import { type Connection, type ConnectionArgs, connect } from '../../kit/paging.ts'
import { perWorld } from '../../kit/world.ts'
import { isReservedName } from './events.ts'
import { countOfContacts, erasedNames } from './sql.ts'

const maxAtOnce = 500

/**
 * The events of a contact that were read with it, as a connection. Those whose name is being removed are left out: the page
 * is shorter then, and its cursors lead on all the same.
 */
export async function connectEventsOf<Line extends { id: string; name: string }>(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id: contactId, events }: { id: string; events: Line[] },
  args: ConnectionArgs,
): Promise<Connection<Line>> {
  const names = [...new Set(events.map(({ name }) => name))].filter((name) => !isReservedName(name))
  const erased = await Promise.all(names.map(async (name) => [name, await erasedUpTo(world)({ projectId, name })] as const))
  const upTo = new Map(erased)
  const { edges, ...connection } = connect(events, args, () => counting(world, { projectId, id: contactId }))
  return { ...connection, edges: edges.filter(({ node }) => node.id > (upTo.get(node.name) ?? '')) }
}

// Many contacts that are asked at once are one statement.
const counting = countsOf(countOfContacts)

const erasedUpTo = perWorld(({ db }) =>
  batch(async (asked: { projectId: string; name: string }[]) => {
    const found = await db.run(erasedNames, [asked.map(({ projectId }) => projectId), asked.map(({ name }) => name)])
    const upTo = new Map(found.map(({ projectId, name, before }) => [`${projectId} ${name}`, before]))
    return asked.map(({ projectId, name }) => upTo.get(`${projectId} ${name}`))
  }, maxAtOnce),
)
