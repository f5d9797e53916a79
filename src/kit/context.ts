import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import { networkOf } from './networks.ts'
import type { Notices } from './notices.ts'
import type { Database } from './postgres/db.ts'
import type { Owners } from './turns.ts'
import type { Vault } from './vault.ts'
import type { World } from './world.ts'

/** The role of a member in a project, from most to least powerful. */
export type Role = 'OWNER' | 'ADMIN' | 'MEMBER'

/** A person's membership in a project. */
export interface Membership {
  projectId: string
  role: Role
  projectDisabled: boolean
}

/**
 * Who calls: nobody (no credentials), an API key of a project, a person who is signed in, or the program itself (a job).
 * `role` and `projectDisabled` are those of the project of the call.
 */
export type Actor =
  | { kind: 'nobody' }
  | {
      kind: 'key'
      key: 'PUBLIC' | 'SECRET'
      /** Its hash, by which it is stored. */
      hash?: string
      projectDisabled: boolean
    }
  | {
      kind: 'user'
      userId: string
      email: string
      emailVerified: boolean
      sessionId: string
      memberships: Membership[]
      /** The project that the call names, where they are not a member of it: what needs a project is refused. */
      refusedProject?: string
      role?: Role
      projectDisabled: boolean
    }
  | { kind: 'system' }

/** Who calls, and with which rights. */
export type Rights = Pick<Ctx, 'actor' | 'account'>

/** The first argument of every operation: the world, and on whose behalf the call is made. */
export interface Ctx {
  world: World
  config: Config
  clock: Clock
  log: Log
  db: Database
  jobs: Jobs
  notices: Notices
  vault: Vault
  /** The project of the call; empty where there is none: with the access `none` or `user`. */
  projectId: string
  actor: Actor
  /** Whose use of what all share counts together: the person who is signed in, or the owner of the project of a key; empty for others. */
  account: string
  requestId: string
  /** The Idempotency-Key of the call, if the caller sent one. */
  idempotency?: { key: string; fingerprint: string }
  /** Facts about the answer that an entry point may add to it. */
  answer: {
    replayed?: boolean
    /** Set-Cookie lines. */
    cookies?: string[]
    /** The target of a redirect (302). */
    location?: string
  }
  /**
   * Takes room for so many bytes of the answer, before they are read, or gives it back with a negative number: fails with
   * SERVICE_UNAVAILABLE while the caller has not read earlier answers. Absent where answers are bounded otherwise.
   */
  takeRoom?: (bytes: number) => void
  /** Aborted when the caller has left, who then waits for nothing. Absent where that is not known. */
  left?: () => AbortSignal
  /**
   * What the caller may do by now, for what has waited since they were authenticated: fails when they may not call any more. Absent
   * where nothing of the call waits, and where the program itself calls.
   */
  rightsNow?: () => Promise<Rights>
  /** When a call that changes nothing began to be read, by the monotonic clock, in ms. Absent for others. */
  readSince?: number
  /** The call came over a websocket, whose answers cannot set a cookie. */
  viaSocket?: true
  /** Address and user agent of the caller, for opens, clicks and logs. */
  client: { address?: string; userAgent?: string }
}

/** Who takes turns for a call with others: the account and the project, of which one may be missing. */
export function ownersOf({ account, projectId }: Pick<Ctx, 'account' | 'projectId'>): Owners {
  if (projectId === '') return account
  return account === '' ? projectId : [account, projectId]
}

/** Whose use of database connections counts together: the account, or the network of a caller without one; empty for the program. */
export function ownerOfConnections({ account, client }: Pick<Ctx, 'account' | 'client'>): string {
  if (account !== '') return account
  return client.address === undefined ? '' : `address ${networkOf(client.address)}`
}

type Call = Pick<Ctx, 'projectId' | 'actor' | 'account' | 'requestId' | 'client'>

/** A context for one call in a world. */
export function callIn(world: World, call: Partial<Call> = {}): Ctx {
  const account = call.actor?.kind === 'user' ? call.actor.userId : (call.account ?? '')
  const client = call.client ?? {}
  return {
    world,
    config: world.config,
    clock: world.clock,
    log: world.log,
    db: world.db.of(ownerOfConnections({ account, client })),
    jobs: world.jobs,
    notices: world.notices,
    vault: world.vault,
    projectId: call.projectId ?? '',
    actor: call.actor ?? { kind: 'nobody' },
    account,
    requestId: call.requestId ?? '',
    client,
    answer: {},
  }
}
