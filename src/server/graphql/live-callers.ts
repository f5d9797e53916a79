import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { authenticate, type Caller } from '../../modules/auth/calls/authenticate.ts'
import { keysTopic } from '../../modules/projects/keys.ts'
import { sessionsTopic } from '../../modules/users/topics.ts'

/** A connection that lives on after its caller was checked. */
export interface LiveConnection {
  caller: Caller
  /** What the caller was let in with. */
  ctx: Ctx
  /** The caller is still let in; what that opens may have changed. */
  renew?(ctx: Ctx): void
  /** The caller is not let in any more. */
  end(reason: Failure): void
}

/**
 * Holds a connection to its caller: once the key is rotated, the session ended or the membership over, in whichever
 * process, the connection is ended. Returns the way to let go.
 */
export function holdToCaller(world: World, connection: LiveConnection): () => void {
  const connections = connectionsOf(world)
  connections.add(connection)
  // What the caller came with may have ended while it was looked up, before anybody could tell this connection.
  void recheck(world, [connection])
  return () => connections.delete(connection)
}

const connectionsOf = perWorld((world) => {
  const connections = new Set<LiveConnection>()
  const recheckThose = (touched: (ctx: Ctx) => boolean): void => {
    // The caches get the same notice: look after they have been emptied.
    setImmediate(
      () =>
        void recheck(
          world,
          [...connections].filter(({ ctx }) => touched(ctx)),
        ),
    )
  }
  world.notices.listen(keysTopic, (projects) => recheckThose(({ projectId }) => !projects || projects.includes(projectId)))
  world.notices.listen(sessionsTopic, (users) =>
    recheckThose(({ actor }) => actor.kind === 'user' && (!users || users.includes(actor.userId))),
  )
  return connections
})

async function recheck(world: World, connections: LiveConnection[]): Promise<void> {
  await Promise.all(
    connections.map(async (connection) => {
      try {
        const ctx = await authenticate(world, connection.caller, { method: 'SOCKET' })
        if (!isSame(ctx, connection.ctx)) return connection.end(new Failure('UNAUTHORIZED', 'What you were let in with has ended.'))
        connection.ctx = ctx
        connection.renew?.(ctx)
      } catch (error) {
        // While Postgres is away nobody can say: the connection stays, and is asked again with the next notice.
        if (error instanceof Failure) connection.end(error)
        else world.log.debug({ err: error }, 'live connections: a caller could not be checked')
      }
    }),
  )
}

// A connection is for one project: whoever may not see it any more, or sees another by now, connects again.
function isSame(now: Ctx, before: Ctx): boolean {
  return now.projectId === before.projectId && now.actor.kind === before.actor.kind
}
