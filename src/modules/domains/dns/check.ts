import type { Ctx } from '../../../kit/context.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { findProjectAdmins, notify } from '../../notifications/notify.ts'
import { getDomain } from '../domains.ts'
import { isReservedName } from '../name.ts'
import { announceDomains } from '../sending.ts'
import type { Domain, Findings } from '../shapes.ts'
import { type Checked, claimDue, holdDomain, settleDomain } from '../sql.ts'
import { lookAt } from './lookup.ts'
import type { Proof } from './proofs.ts'
import { type RecordToSet, recordsToSet, storedFindings } from './records.ts'

/** Who wants to know: a person, who gets the truth at once, or the timetable, which is patient with a verified domain. */
type Asker = 'person' | 'timetable'

interface Which {
  projectId: string
  id: string
}

/** Misses in a row after which the timetable takes the status away: one DNS blunder of 10 minutes stops nobody's mail. */
const mostMisses = 3
// Less than the timetable's 5 minutes, so that a check that took some seconds is not left out at the next turn.
const checkAgainMs = 4 * 60_000
const claimedAtOnce = 100
const checkedAtOnce = 25
const mostShown = { values: 10, characters: 1_000 }

/**
 * Looks for the records of a domain now, within 5 s, and answers what was found. Required records that are definitely not
 * there make it PENDING at once; DNS that could not be asked changes nothing. Fails with RESOURCE_NOT_FOUND.
 */
export async function verifyDomain(ctx: Ctx, { id }: { id: string }): Promise<Domain> {
  await getDomain(ctx, { id })
  await checkDomain(ctx.world, { projectId: ctx.projectId, id }, 'person')
  return getDomain(ctx, { id })
}

/** Checks every domain whose time has come, of all projects, and returns when none is left or the world closes. */
export async function checkDomains(world: World): Promise<void> {
  for (;;) {
    const now = world.clock.now()
    const due = await world.db.run(claimDue, [now, new Date(now.getTime() + checkAgainMs), claimedAtOnce])
    const more = due.length === claimedAtOnce
    const lanes = Array.from({ length: checkedAtOnce }, async () => {
      for (let which = due.pop(); which && !world.closing.aborted; which = due.pop()) await checkQuietly(world, which)
    })
    await Promise.all(lanes)
    if (!more || world.closing.aborted) return
  }
}

// What fails for one domain must not keep the others from being checked; its own time comes again.
async function checkQuietly(world: World, which: Which): Promise<void> {
  await checkDomain(world, which, 'timetable').catch((error: unknown) =>
    world.log.error({ err: error, domainId: which.id }, 'domains: a check failed, tried again later'),
  )
}

async function checkDomain(world: World, { projectId, id }: Which, asker: Asker): Promise<void> {
  const { db, dns, config, clock } = world
  const row = await db.prisma.domain.findUnique({
    where: { projectId_id: { projectId, id } },
    select: { domain: true, dkimSelector: true, dkimPublic: true },
  })
  if (!row) return
  const startedAt = clock.now()
  const seen = isExempt(world, row) ? null : await lookAt(dns, row, recordsToSet(row, config), config)
  const changed = await db.transaction(async (tx) => {
    const [before] = await tx.run(holdDomain, [projectId, id])
    // A check that began later has told the newer truth.
    if (!before || (before.checkedAt !== null && before.checkedAt > startedAt)) return false
    const { status, misses } = seen ? judged(before, outcomeOf(seen), asker) : { status: 'VERIFIED' as const, misses: 0 }
    const findings = seen && JSON.stringify(findingsOf(before, seen, status))
    await tx.run(settleDomain, [projectId, id, status, misses, findings, startedAt])
    if (status === before.status) return false
    await tell(world, tx, { projectId, domain: before.domain, status, problem: seen ? problemOf(seen) : '' })
    return true
  })
  if (changed) announceDomains(world, projectId)
}

function isExempt({ config }: Pick<World, 'config'>, { domain }: { domain: string }): boolean {
  return !config.production && isReservedName(domain)
}

type Seen = { record: RecordToSet; proof: Proof }[]

function outcomeOf(seen: Seen): Proof['verdict'] {
  const verdicts = seen.filter(({ record }) => record.required).map(({ proof }) => proof.verdict)
  if (verdicts.includes('absent')) return 'absent'
  return verdicts.includes('unknown') ? 'unknown' : 'found'
}

/** What a check makes of a domain: its status, and how often in a row the timetable has missed what is required. */
function judged({ status, misses }: Checked, outcome: Proof['verdict'], asker: Asker): Pick<Checked, 'status' | 'misses'> {
  if (outcome === 'found') return { status: 'VERIFIED', misses: 0 }
  if (outcome === 'unknown') return { status, misses }
  if (asker === 'person' || status === 'PENDING' || misses + 1 >= mostMisses) return { status: 'PENDING', misses: 0 }
  return { status, misses: misses + 1 }
}

function findingsOf(before: Checked, seen: Seen, status: Checked['status']): Findings {
  const earlier = storedFindings(before)
  return seen.map(({ record: { purpose, required }, proof }) => {
    const last = earlier?.find((finding) => finding.purpose === purpose)
    // DNS that could not be asked says nothing about what it holds.
    if (proof.verdict === 'unknown') return { purpose, found: last?.found ?? false, current: last?.current ?? [], problem: proof.problem }
    const patience = required && proof.verdict === 'absent' && status === 'VERIFIED' ? ` ${stays}` : ''
    return {
      purpose,
      found: proof.verdict === 'found',
      current: proof.current.slice(0, mostShown.values).map(presentable),
      problem: proof.problem && presentable(proof.problem + patience),
    }
  })
}

const stays = `The domain stays VERIFIED until ${mostMisses} checks in a row have missed it.`

// Anybody may put anything into a TXT record, NUL included, which jsonb cannot hold.
function presentable(value: string): string {
  return value
    .slice(0, mostShown.characters)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\uFFFD')
}

function problemOf(seen: Seen): string {
  return seen.flatMap(({ record, proof }) => (record.required && proof.problem !== null ? [proof.problem] : [])).join(' ')
}

async function tell(
  world: World,
  tx: Transaction,
  { projectId, domain, status, problem }: { projectId: string; domain: string; status: Checked['status']; problem: string },
): Promise<void> {
  for (const { email, projectName } of await findProjectAdmins(tx, projectId)) {
    const data = { projectName, domain }
    if (status === 'VERIFIED') await notify(world, { to: email, kind: 'domain-verified', data }, tx)
    else await notify(world, { to: email, kind: 'domain-unverified', data: { ...data, problem } }, tx)
  }
}
