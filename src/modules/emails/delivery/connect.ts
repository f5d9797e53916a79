import { createTally } from '../../../kit/tally.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { ClaimedEmail } from '../queue/claim.ts'
import type { Lane } from '../shapes.ts'
import { type MailConnection, transportOf } from './transport.ts'

/** What an attempt takes a connection with, and what gives that back. */
interface Connecting {
  world: World
  email: Pick<ClaimedEmail, 'lane' | 'account' | 'attempts'>
  connection?: MailConnection
  releases: (() => void)[]
}

type Ending = { kind: 'released' } | null

/**
 * Waits for a connection, unless there is one: after the email was rendered, so that no connection waits for a template. Rejects with
 * OwnerSlow when the emails of its account take long.
 */
export async function connect(attempt: Connecting): Promise<Ending> {
  return attempt.connection ? null : connectWith(attempt, { onlyQuick: true })
}

/**
 * Waits for a connection where the emails of the account take long: before the email takes memory, because it may wait long. Those that
 * would wait behind as many as can be under way are left in the queue.
 */
export async function connectSlow(attempt: Connecting): Promise<Ending> {
  const { world, email } = attempt
  const max = transportOf(world).maxUnderWay(email.lane, email.account)
  if (max === Number.POSITIVE_INFINITY) return null
  const waiting = waitingOf(world)
  const key = `${email.lane} ${email.account}`
  if (waiting.of(key) >= max) return { kind: 'released' }
  waiting.add(key, 1)
  try {
    return await connectWith(attempt, {})
  } finally {
    waiting.add(key, -1)
  }
}

/** How many emails of an account may be claimed, of all of its projects in a lane: those that wait for a connection, and those under way. */
export function maxClaimed(world: World, lane: Lane, account: string): number {
  return 2 * transportOf(world).maxUnderWay(lane, account)
}

const waitingOf = perWorld(createTally)

// An email that was given up before for those that wait has twice as long, then four times.
const maxPatience = 4

async function connectWith(attempt: Connecting, plan: { onlyQuick?: boolean }): Promise<Ending> {
  const { world, email } = attempt
  return unlessEnding(world, async () => {
    const patience = Math.min(2 ** (email.attempts - 1), maxPatience)
    attempt.connection = await transportOf(world).connect(email.lane, email.account, { ...plan, patience })
    attempt.releases.push(attempt.connection.release)
  })
}

/** Renews the connection of an email that did not leave with it, which may wait as well. */
export function reconnect({ world }: Pick<Connecting, 'world'>, connection: MailConnection): Promise<Ending> {
  return unlessEnding(world, () => connection.renew())
}

// What waits for a connection is given up when the process is ending, which is no attempt.
async function unlessEnding({ closing }: World, wait: () => Promise<void>): Promise<Ending> {
  try {
    await wait()
    return null
  } catch (error) {
    if (closing.aborted) return { kind: 'released' }
    throw error
  }
}
