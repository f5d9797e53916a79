import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import { loop } from '../../../kit/loop.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type ClaimedRow, claimDueRows, claimNew, renewClaims } from './sql.ts'

/** An email this process has claimed. `lost` becomes true when another worker may have claimed it: then it is left alone. */
export interface ClaimedEmail extends ClaimedRow {
  lost: boolean
  /** When the claim expires unless it is renewed. */
  heldUntil: Date
}

/** The claim of an email that has its token of the project's sending rate: it waits for `wake_at` and takes no other token. */
export const reserved = 'reserved'

/** Claims one new email for its first attempt; null when another worker has claimed it or it is not new any more. */
export function claimEmail(world: World, key: EmailKey): Promise<ClaimedEmail | null> {
  return claimsOf(world).claim(key)
}

/** Claims up to `max` emails that are due, of all projects. */
export async function claimDueEmails(world: World, max: number): Promise<ClaimedEmail[]> {
  const { claim, until, now } = newClaim(world)
  const rows = await world.db.run(claimDueRows, [claim, until, now, max])
  return hold(world, rows, until)
}

/** Stops holding a claim: the email is settled, or claimed by another worker. */
export function releaseClaim(world: World, email: ClaimedEmail): void {
  claimsOf(world).held.delete(email)
}

/** How many claims this process holds. */
export function countClaimed(world: World): number {
  return claimsOf(world).held.size
}

/** Whether an email may still be sent: this process holds its claim. */
export function isClaimed(world: World, email: ClaimedEmail): boolean {
  return !email.lost && world.clock.now() < email.heldUntil
}

/** Renews the claims of this process until the world closes, three times per CLAIM_SECONDS. */
export function keepClaims(world: World): Promise<void> {
  const everyMs = (world.config.CLAIM_SECONDS * 1_000) / 3
  return loop(world, { name: 'claim renewal', everyMs, work: () => renew(world) })
}

/** Identifies an email. */
export interface EmailKey {
  projectId: string
  id: string
}

const maxClaimed = 200

const claimsOf = perWorld((world) => ({
  held: new Set<ClaimedEmail>(),
  claim: batch((keys: EmailKey[]) => claimAll(world, keys), maxClaimed),
}))

async function claimAll(world: World, keys: EmailKey[]): Promise<(ClaimedEmail | null)[]> {
  const { claim, until, now } = newClaim(world)
  const rows = await world.db.run(claimNew, [claim, until, now, keys.map(({ projectId }) => projectId), keys.map(({ id }) => id)])
  const emails = new Map(hold(world, rows, until).map((email) => [email.id, email]))
  return keys.map(({ id }) => {
    const email = emails.get(id) ?? null
    // A key that is given twice claims once.
    emails.delete(id)
    return email
  })
}

// Each group has a claim of its own: an email that this process claims again after its claim expired is another attempt.
function newClaim({ clock, config }: World): { claim: string; until: Date; now: Date } {
  const now = clock.now()
  return { claim: newId('claim', now), until: new Date(now.getTime() + config.CLAIM_SECONDS * 1_000), now }
}

function hold(world: World, rows: ClaimedRow[], until: Date): ClaimedEmail[] {
  const emails = rows.map((row) => ({ ...row, lost: false, heldUntil: until }))
  for (const email of emails) claimsOf(world).held.add(email)
  return emails
}

async function renew(world: World): Promise<boolean> {
  const { held } = claimsOf(world)
  const emails = [...held]
  if (emails.length === 0) return false
  const until = new Date(world.clock.now().getTime() + world.config.CLAIM_SECONDS * 1_000)
  const renewed = await world.db.run(renewClaims, [
    emails.map(({ projectId }) => projectId),
    emails.map(({ id }) => id),
    emails.map(({ claim }) => claim),
    until,
  ])
  const stillHeld = new Set(renewed.map(({ id, claim }) => id + claim))
  for (const email of emails) {
    if (stillHeld.has(email.id + email.claim)) email.heldUntil = until
    else if (held.has(email)) email.lost = true
  }
  return false
}
