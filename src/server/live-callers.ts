import type { Ctx, Rights } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { perWorld, type World } from '../kit/world.ts'
import { authenticate, type Caller, type Target } from '../modules/auth/calls/authenticate.ts'
import { findLiveSession } from '../modules/auth/sessions/sessions.ts'
import { keysTopic } from '../modules/projects/keys.ts'
import { sessionsTopic } from '../modules/users/topics.ts'
import { isOutdated, sameProject } from './caller.ts'

/** A caller who was authenticated. */
interface Authenticated {
  caller: Caller
  /** The context that the caller was authenticated with. */
  ctx: Ctx
  /** What the caller asked for. Default: a socket. */
  target?: Target
}

/** A connection that stays open after its caller was authenticated. */
export interface LiveConnection extends Authenticated {
  /**
   * Called when the caller is still valid; their role may have changed: the connection ends when it throws a Failure. Absent where every
   * member may go on, such as for event streams.
   */
  renew?(ctx: Ctx): void
  /** Called when the caller is no longer valid: always with a 401. */
  end(reason: Failure): void
}

/** What a websocket asks for. */
export const socketTarget: Target = { write: true, isSocket: true }

interface Watched extends LiveConnection {
  /** Checks again. */
  timer?: NodeJS.Timeout
}

const accessEnded = 'Your access to this project has ended.'
const retryMs = 5_000
// Notices may be lost: their process may be killed after its commit, or lose its database. What is cached of a caller may be as old again.
const lookAgainMs = 5_000

/**
 * Ends a connection as soon as its caller is no longer valid: when the key is rotated, the session expires or ends, or the
 * membership ends, in any process; within 10 s also where no notice of that arrives. The project that it began with is fixed: that its person gets others by now changes nothing, and
 * losing that one ends it. One that began without a project has the first that its person gets as their only one. Returns a function
 * that stops watching.
 */
export function watchCaller(world: World, connection: LiveConnection): () => void {
  const connections = connectionsOf(world)
  const watched: Watched = { ...connection }
  connections.add(watched)
  // The caller may have become invalid after the authentication and before this connection was registered.
  void recheck(world, watched)
  return () => {
    clearTimeout(watched.timer)
    connections.delete(watched)
  }
}

const connectionsOf = perWorld((world) => {
  const connections = new Set<Watched>()
  const recheckWhere = (touched: (ctx: Ctx) => boolean): void => {
    // The caches receive the same notice: recheck after they have been emptied.
    setImmediate(() => {
      for (const connection of connections) if (touched(connection.ctx)) void recheck(world, connection)
    })
  }
  world.notices.listen(keysTopic, (projects) => recheckWhere(({ projectId }) => !projects || projects.includes(projectId)))
  world.notices.listen(sessionsTopic, (users) =>
    recheckWhere(({ actor }) => actor.kind === 'user' && (!users || users.includes(actor.userId))),
  )
  return connections
})

/** The call of a caller who was authenticated before, as they are now. Fails as `authenticate` does, and when their project is another one. */
async function authenticateAgain(world: World, { caller, ctx: before, target = socketTarget }: Authenticated): Promise<Ctx> {
  const now = await authenticate(world, againAs(caller, before), target)
  if (!isSame(now, before)) throw new Failure('UNAUTHORIZED', accessEnded)
  return { ...now, client: before.client }
}

/** What a caller may do by now. Fails with the Failure of `authenticate`, or UNAUTHORIZED, when they may not call any more. */
export async function rightsNow(world: World, authenticated: Authenticated): Promise<Rights> {
  try {
    const { actor, account } = await authenticateAgain(world, authenticated)
    return { actor, account }
  } catch (error) {
    throw error instanceof Failure && refuses(error) ? ended(error) : error
  }
}

/**
 * Looks at the rights of a caller again before what took long to read, or to write, is answered, perhaps to come to its turn: it was read
 * for somebody who may not read it any more. What a call has changed is done, and is answered. Fails as `rightsNow` does, and with
 * SERVICE_UNAVAILABLE when a person is no longer in one of their projects, or has another role there: what was read may be more than they
 * may see by now.
 */
export async function requireSameRights({
  actor: before,
  rightsNow: rights,
  readSince,
}: Pick<Ctx, 'actor' | 'rightsNow' | 'readSince'>): Promise<void> {
  if (!rights || readSince === undefined || !isOutdated(readSince)) return
  const { actor: now } = await rights()
  if (before.kind !== 'user' || now.kind !== 'user') return
  const roles = new Map(now.memberships.map(({ projectId, role }) => [projectId, role]))
  if (before.memberships.every(({ projectId, role }) => roles.get(projectId) === role)) return
  throw new Failure('SERVICE_UNAVAILABLE', 'What you may see has changed while this was read.', {
    suggestion: 'Ask again.',
    headers: { 'Retry-After': '1' },
  })
}

async function recheck(world: World, connection: Watched): Promise<void> {
  try {
    const before = connection.ctx
    const now = await authenticateAgain(world, connection)
    // Another look has ended meanwhile, and may have seen what is newer.
    if (connection.ctx !== before) return await recheck(world, connection)
    connection.ctx = now
    connection.renew?.(now)
    recheckIn(world, connection, now.actor.kind === 'user' ? await expiresInMs(world, now.actor.sessionId) : lookAgainMs)
  } catch (error) {
    if (error instanceof Failure && refuses(error)) return connection.end(ended(error))
    // Without Postgres, or its turn, this cannot be decided: the connection stays open until it can.
    world.log.debug({ err: error }, 'live connections: a caller could not be checked')
    recheckIn(world, connection, retryMs)
  }
}

const refuses = ({ status }: Failure): boolean => status < 500 && status !== 429

// The caller was accepted when the connection was opened: whatever they lack by now, their access has ended.
function ended(error: Failure): Failure {
  return error.status === 401 ? error : new Failure('UNAUTHORIZED', accessEnded)
}

// A session by its id and not by its cookie, which is not replaced when other requests renew the session. Not on behalf of a
// client, whose unknown keys are counted.
function againAs({ client: _client, ...caller }: Caller, before: Ctx): Caller {
  const { actor } = before
  return actor.kind === 'user' ? { ...sameProject(caller, before), authorization: undefined, sessionId: actor.sessionId } : caller
}

async function expiresInMs(world: World, sessionId: string): Promise<number> {
  const session = await findLiveSession(world, sessionId)
  return session ? session.expiresAt.getTime() - world.clock.now().getTime() : 0
}

function recheckIn(world: World, connection: Watched, ms: number): void {
  clearTimeout(connection.timer)
  if (!connectionsOf(world).has(connection)) return
  connection.timer = setTimeout(() => void recheck(world, connection), Math.min(Math.max(ms, 1), lookAgainMs)).unref()
}

// Whoever has lost access to their project must reconnect. Whoever had none may have one by now, such as by the mutation before: what
// they have begun needs none.
function isSame(now: Ctx, before: Ctx): boolean {
  return (before.projectId === '' || now.projectId === before.projectId) && now.actor.kind === before.actor.kind
}
