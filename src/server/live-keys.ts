import type { Ctx } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { perWorld, type World } from '../kit/world.ts'
import { enter } from '../modules/auth/enter.ts'

/** A connection that lives on after its key was checked. */
export interface LiveConnection {
  authorization: string
  projectId: string
  /** The key still holds; what it opens may have changed. */
  renew?(ctx: Ctx): void
  /** The key no longer holds. */
  end(reason: Failure): void
}

/** Holds a connection to its key: once the key is rotated, in whichever process, the connection is ended. Returns the way to let go. */
export function holdToKey(world: World, connection: LiveConnection): () => void {
  const connections = connectionsOf(world)
  connections.add(connection)
  // The key may have been rotated while it was looked up, before anybody could tell this connection.
  void recheck(world, new Set([connection]), null)
  return () => connections.delete(connection)
}

const connectionsOf = perWorld((world) => {
  const connections = new Set<LiveConnection>()
  // The key cache hears the same notice: look after it has been emptied.
  world.notices.listen('keys', (projects) => void setImmediate(() => recheck(world, connections, projects)))
  return connections
})

async function recheck(world: World, connections: Set<LiveConnection>, projects: string[] | null): Promise<void> {
  const affected = [...connections].filter(({ projectId }) => !projects || projects.includes(projectId))
  await Promise.all(
    affected.map(async ({ authorization, renew, end }) => {
      try {
        const ctx = await enter(world, { authorization })
        renew?.(ctx)
      } catch (error) {
        // While Postgres is away nobody can say: the connection stays, and is asked again with the next notice.
        if (error instanceof Failure) end(error)
        else world.log.debug({ err: error }, 'live connections: a key could not be checked')
      }
    }),
  )
}
