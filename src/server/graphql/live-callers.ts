import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { authenticate, type Caller } from '../../modules/auth/calls/authenticate.ts'
import { keysTopic } from '../../modules/projects/keys.ts'
import { sessionsTopic } from '../../modules/users/topics.ts'

/** A connection that stays open after its caller was authenticated. */
export interface LiveConnection {
  caller: Caller
  /** The context that the caller was authenticated with. */
  ctx: Ctx
  /** Called when the caller is still valid; their rights may have changed. */
  renew?(ctx: Ctx): void
  /** Called when the caller is no longer valid. */
  end(reason: Failure): void
}

/**
 * Ends a connection as soon as its caller is no longer valid: when the key is rotated, the session ends or the membership
 * ends, in any process. Returns a function that stops watching.
 */
export function watchCaller(world: World, connection: LiveConnection): () => void {
  const connections = connectionsOf(world)
  connections.add(connection)
  // The caller may have become invalid after the authentication and before this connection was registered.
  void recheck(world, [connection])
  return () => connections.delete(connection)
}

const connectionsOf = perWorld((world) => {
  const connections = new Set<LiveConnection>()
  const recheckWhere = (touched: (ctx: Ctx) => boolean): void => {
    // The caches receive the same notice: recheck after they have been emptied.
    setImmediate(
      () =>
        void recheck(
          world,
          [...connections].filter(({ ctx }) => touched(ctx)),
        ),
    )
  }
  world.notices.listen(keysTopic, (projects) => recheckWhere(({ projectId }) => !projects || projects.includes(projectId)))
  world.notices.listen(sessionsTopic, (users) =>
    recheckWhere(({ actor }) => actor.kind === 'user' && (!users || users.includes(actor.userId))),
  )
  return connections
})

async function recheck(world: World, connections: LiveConnection[]): Promise<void> {
  await Promise.all(
    connections.map(async (connection) => {
      try {
        const ctx = await authenticate(world, connection.caller, { method: 'SOCKET' })
        if (!isSame(ctx, connection.ctx))
          return connection.end(new Failure('UNAUTHORIZED', 'Your credentials are no longer valid for this connection.'))
        connection.ctx = ctx
        connection.renew?.(ctx)
      } catch (error) {
        // Without Postgres this cannot be decided: the connection stays open and is checked again with the next notice.
        if (error instanceof Failure) connection.end(error)
        else world.log.debug({ err: error }, 'live connections: a caller could not be checked')
      }
    }),
  )
}

// A connection is for one project: a caller who has lost access to it, or now has another, must reconnect.
function isSame(now: Ctx, before: Ctx): boolean {
  return now.projectId === before.projectId && now.actor.kind === before.actor.kind
}
