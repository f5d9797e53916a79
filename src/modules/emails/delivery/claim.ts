import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import { loop } from '../../../kit/loop.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type ClaimedRow, claimDue, claimNew, renewClaims } from './sql.ts'

/** A mail this process holds. `lost` turns true when another worker may have taken it over: then hands off. */
export interface Mail extends ClaimedRow {
  lost: boolean
  /** Until when the claim holds if it is not renewed. */
  heldUntil: Date
}

/** The claim of a mail whose place in a project's sending rate is reserved: it waits for `wake_at` and needs no other token. */
export const reserved = 'reserved'

/** Takes one new mail for its first attempt; null when another worker has it or it is not new any more. */
export function claimEmail(world: World, key: EmailKey): Promise<Mail | null> {
  return deskOf(world).claim(key)
}

/** Takes up to `most` mails whose time has come, in every project. */
export async function claimDueEmails(world: World, most: number): Promise<Mail[]> {
  const { claim, until, now } = newClaim(world)
  const rows = await world.db.run(claimDue, [claim, until, now, most])
  return hold(world, rows, until)
}

/** Lets a mail go: it is settled, or no longer ours. */
export function releaseMail(world: World, mail: Mail): void {
  deskOf(world).held.delete(mail)
}

/** How many mails this process holds. */
export function heldMails(world: World): number {
  return deskOf(world).held.size
}

/** Whether a mail may still be handed over: the claim is ours now. */
export function holds(world: World, mail: Mail): boolean {
  return !mail.lost && world.clock.now() < mail.heldUntil
}

/** Prolongs the claims of mails in flight until the world closes, three times within their time. */
export function renewing(world: World): Promise<void> {
  const everyMs = (world.config.CLAIM_SECONDS * 1_000) / 3
  return loop(world, { name: 'renewing claims', everyMs, work: () => renew(world) })
}

/** Which mail. */
export interface EmailKey {
  projectId: string
  id: string
}

const mostClaimed = 200

const deskOf = perWorld((world) => ({
  held: new Set<Mail>(),
  claim: batch((keys: EmailKey[]) => claimAll(world, keys), mostClaimed),
}))

async function claimAll(world: World, keys: EmailKey[]): Promise<(Mail | null)[]> {
  const { claim, until, now } = newClaim(world)
  const rows = await world.db.run(claimNew, [claim, until, now, keys.map(({ projectId }) => projectId), keys.map(({ id }) => id)])
  const mails = new Map(hold(world, rows, until).map((mail) => [mail.id, mail]))
  return keys.map(({ id }) => {
    const mail = mails.get(id) ?? null
    // A mail named twice is handed out once.
    mails.delete(id)
    return mail
  })
}

// A claim of its own for every group: a mail that lapsed and came back to this process is another attempt.
function newClaim({ clock, config }: World): { claim: string; until: Date; now: Date } {
  const now = clock.now()
  return { claim: newId('claim', now), until: new Date(now.getTime() + config.CLAIM_SECONDS * 1_000), now }
}

function hold(world: World, rows: ClaimedRow[], until: Date): Mail[] {
  const mails = rows.map((row) => ({ ...row, lost: false, heldUntil: until }))
  for (const mail of mails) deskOf(world).held.add(mail)
  return mails
}

async function renew(world: World): Promise<boolean> {
  const { held } = deskOf(world)
  const mails = [...held]
  if (mails.length === 0) return false
  const until = new Date(world.clock.now().getTime() + world.config.CLAIM_SECONDS * 1_000)
  const ours = await world.db.run(renewClaims, [
    mails.map(({ projectId }) => projectId),
    mails.map(({ id }) => id),
    mails.map(({ claim }) => claim),
    until,
  ])
  const kept = new Set(ours.map(({ id, claim }) => id + claim))
  for (const mail of mails) {
    if (kept.has(mail.id + mail.claim)) mail.heldUntil = until
    else if (held.has(mail)) mail.lost = true
  }
  return false
}
