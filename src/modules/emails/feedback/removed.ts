import { emailAddress } from '../../../kit/address.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { countUnlogged } from '../../security/count.ts'
import type { EmailName } from './names.ts'
import {
  findRemovedOfDomain,
  findRemovedOfProject,
  forgetRemoved,
  type GoneEmail,
  insertRemoved,
  markRemoved,
  type RemovedEmail,
} from './sql.ts'
import { suppressAddressOf, withTurn } from './suppress.ts'

/** What it takes to keep what late reports about removed emails need. */
export type Remembering = Pick<World, 'clock' | 'vault'>

// Mail servers give up after five days; people report older emails, seldom.
const rememberedDays = 30
const dayMs = 86_400_000

/**
 * Keeps of emails that are removed, and left within the last 30 days, what reports about them need that come later: deleting contacts, or
 * all data of a project, is no way to escape its reputation. Of the address a keyed hash is kept.
 */
export async function rememberRemoved(
  tx: Executor,
  { clock, vault }: Remembering,
  { projectId, emails }: { projectId: string; emails: readonly GoneEmail[] },
): Promise<void> {
  const oldest = clock.now().getTime() - rememberedDays * dayMs
  const left = emails.flatMap(({ leftAt, ...email }) => (leftAt && leftAt.getTime() >= oldest ? { ...email, leftAt } : []))
  if (left.length === 0) return
  await tx.run(insertRemoved, [
    projectId,
    left.map(({ id }) => id),
    left.map(({ toAddress }) => hashOf({ vault }, projectId, toAddress)),
    left.map(({ copied }) => copied),
    left.map(({ bounced }) => bounced),
    left.map(({ complained }) => complained),
    left.map(({ leftAt }) => leftAt),
  ])
}

const hashOf = ({ vault }: Pick<World, 'vault'>, projectId: string, address: string): string =>
  vault.fingerprint('removed-emails', `${projectId} ${address}`)

/** A hard bounce or a complaint about an email that was removed, with a sentence for people. */
export interface RemovedReport {
  kind: 'bounce' | 'complaint'
  reason: string
  /** The addresses it is about. */
  recipients: string[]
  /** As in all feedback: of an email with copies anybody who got it may have made it up. */
  unproven: boolean
}

/** What is kept of a removed email; null where nothing is. */
export async function findRemoved({ db }: Pick<World, 'db'>, name: EmailName): Promise<RemovedEmail | null> {
  const found =
    'projectId' in name
      ? db.run(findRemovedOfProject, [name.projectId, name.emailId])
      : db.run(findRemovedOfDomain, [name.domain, name.emailId])
  return (await found)[0] ?? null
}

/** That one of some addresses to which a removed email went; undefined where it went to none of them. */
export function addressOfRemoved(
  { vault }: Pick<World, 'vault'>,
  { projectId, hash }: RemovedEmail,
  addresses: readonly string[],
): string | undefined {
  return addresses.flatMap((address) => emailAddress(address) ?? []).find((address) => hashOf({ vault }, projectId, address) === hash)
}

/**
 * Adds a report about a removed email to the reputation of its project, each kind once, and suppresses its address where the report names
 * it. Returns whether that is new.
 */
export async function recordForRemoved(world: World, email: RemovedEmail, report: RemovedReport): Promise<boolean> {
  const { projectId, emailId } = email
  const { kind, reason, recipients, unproven } = report
  const toAddress = addressOfRemoved(world, email, recipients)
  if (email.copied && toAddress === undefined) return false
  const isBounce = kind === 'bounce'
  if (isBounce ? email.bounced : email.complained) return false
  return withTurn(world, projectId, async () => {
    // Before it is marked, so that it is repeated after a crash in between.
    if (toAddress !== undefined && !(unproven && email.copied)) {
      await suppressAddressOf(world, { projectId, id: emailId, toAddress }, { reason: isBounce ? 'BOUNCE' : 'COMPLAINT', sentence: reason })
    }
    return world.db.transaction(async (tx) => {
      const isNew = (await tx.run(markRemoved, [projectId, emailId, isBounce, !isBounce])).length > 0
      if (isNew) await countUnlogged(tx, { projectId, at: world.clock.now(), [isBounce ? 'bounces' : 'complaints']: 1 })
      return isNew
    })
  })
}

const forgottenAtOnce = 10_000

/** Forgets removed emails that left more than 30 days ago, in batches that each commit. */
export async function forgetOldRemoved({ db, clock, closing }: Pick<World, 'db' | 'clock' | 'closing'>): Promise<void> {
  const before = new Date(clock.now().getTime() - rememberedDays * dayMs)
  for (let more = true; more && !closing.aborted; ) {
    more = (await db.run(forgetRemoved, [before, forgottenAtOnce]))[0]?.count === forgottenAtOnce
  }
}
