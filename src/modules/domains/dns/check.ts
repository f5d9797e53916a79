import { type Ctx, callIn } from '../../../kit/context.ts'
import { isReservedDomain } from '../../../kit/domain-name.ts'
import { waitOutside } from '../../../kit/outside.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { createTurns } from '../../../kit/turns.ts'
import type { World } from '../../../kit/world.ts'
import { findProjectAdmins, notify } from '../../notifications/notify.ts'
import { recordChange } from '../../projects/changes.ts'
import { getDomain } from '../domains.ts'
import { announceDomains } from '../sending.ts'
import type { Domain, Findings } from '../shapes.ts'
import { type Checked, claimDomainsDue, lockDomain, storeCheck } from '../sql.ts'
import { lookUpRecords } from './lookup.ts'
import type { RecordResult } from './record-checks.ts'
import { type RecordSource, type RecordToSet, recordsToSet, storedFindings } from './records.ts'
import { admitToSes, type StoredKey, useReturnPathInSes } from './ses.ts'

/** What started a check: a request takes effect at once, the schedule tolerates some misses of a verified domain. */
type Trigger = 'request' | 'schedule'

interface DomainKey {
  projectId: string
  id: string
}

/** Misses in a row after which the schedule makes a domain PENDING, so that a DNS error of 10 minutes does not stop its email. */
const maxMisses = 3
// Less than the schedule's 5 minutes, so that a domain whose check took some seconds is due again at the next run.
const checkAgainMs = 4 * 60_000
// Those of an account whose name servers do not answer take 5 s each: what becomes due meanwhile waits for two rounds of them at most.
const checkTurns = { max: 25, maxPerOwner: 12 }
const claimed = { max: 250, maxPerOwner: 24 }
const maxShown = { values: 10, characters: 1_000 }

/**
 * Checks the DNS records of a domain now, within 5 s, and returns what was found. A required record that is definitely missing
 * makes the domain PENDING at once; queries that get no answer change nothing. Fails with RESOURCE_NOT_FOUND.
 */
export async function verifyDomain(ctx: Ctx, { id }: { id: string }): Promise<Domain> {
  await getDomain(ctx, { id })
  await waitOutside(ctx, () => checkDomain(ctx, { projectId: ctx.projectId, id }, 'request'))
  return getDomain(ctx, { id })
}

/** Checks every domain that is due, of all projects, in turns of their accounts. Returns when none is left or the process shuts down. */
export async function checkDomains(world: World): Promise<void> {
  const turns = createTurns(checkTurns)
  for (;;) {
    const now = world.clock.now()
    const due = await world.db.run(claimDomainsDue, [now, new Date(now.getTime() + checkAgainMs), claimed.max, claimed.maxPerOwner])
    if (due.length === 0 || world.closing.aborted) return
    await Promise.all(due.map((domain) => turns.run(domain.account, () => checkQuietly(world, domain))))
  }
}

// An error in one domain must not stop the checks of the others; the domain is checked again at the next run.
async function checkQuietly(world: World, domain: DomainKey): Promise<void> {
  if (world.closing.aborted) return
  await checkDomain(callIn(world, { actor: { kind: 'system' } }), domain, 'schedule').catch((error: unknown) =>
    world.log.error({ err: error, domainId: domain.id }, 'domains: a check failed and will be repeated'),
  )
}

async function checkDomain(ctx: Ctx, { projectId, id }: DomainKey, trigger: Trigger): Promise<void> {
  const { db, config, clock, world } = ctx
  const row = await db.prisma.domain.findUnique({
    where: { projectId_id: { projectId, id } },
    select: { domain: true, status: true, dkimSelector: true, dkimPublic: true, dkimSealed: true, findings: true },
  })
  if (!row) return
  const startedAt = clock.now()
  const results = isExempt(world, row)
    ? null
    : await lookUpRecords(world.dns, row, recordsToSet(row, config), (record, result) => confirm(world, row, { trigger, record, result }))
  // What was found is stored also when who asked has left: the servers have been asked, and Amazon SES may have been told.
  const changed = await db.lasting().transaction(async (tx) => {
    const [before] = await tx.run(lockDomain, [projectId, id])
    // A check that started later has already stored a newer result.
    if (!before || (before.checkedAt !== null && before.checkedAt > startedAt)) return false
    const { status, misses } = results ? nextStatus(before, outcomeOf(results), trigger) : { status: 'VERIFIED' as const, misses: 0 }
    const findings = results && JSON.stringify(findingsOf(before, results, status))
    await tx.run(storeCheck, [projectId, id, status, misses, findings, startedAt])
    if (status === before.status) return false
    await recordChange(ctx, tx, { projectId, fields: ['domains.status'] })
    await notifyAdmins(world, tx, { projectId, domain: before.domain, status, problem: results ? problemOf(results) : '' })
    return true
  })
  if (changed) announceDomains(world, projectId)
}

/** A record of a domain, what DNS says of it, and what started the check. */
interface Looked {
  trigger: Trigger
  record: RecordToSet
  result: RecordResult
}

// What Amazon SES says besides, where it sends: the schedule does not ask it about what it has found, because it answers few such calls.
async function confirm(world: World, row: StoredKey & Pick<RecordSource, 'status' | 'findings'>, looked: Looked): Promise<RecordResult> {
  const { trigger, record, result } = looked
  if (world.config.transport !== 'ses') return result
  const asksAgain = trigger === 'request'
  if (record.purpose === 'DKIM' && (asksAgain || row.status === 'PENDING')) return admitToSes(world, row, result)
  const wasFound = storedFindings(row)?.some(({ purpose, found }) => purpose === 'RETURN_PATH' && found)
  if (record.purpose !== 'RETURN_PATH' || (wasFound && !asksAgain)) return result
  return useReturnPathInSes(world, { domain: row.domain, host: record.name }, result)
}

function isExempt({ config }: Pick<World, 'config'>, { domain }: { domain: string }): boolean {
  return !config.production && isReservedDomain(domain)
}

type Results = { record: RecordToSet; result: RecordResult }[]

function outcomeOf(results: Results): RecordResult['verdict'] {
  const verdicts = results.filter(({ record }) => record.required).map(({ result }) => result.verdict)
  if (verdicts.includes('absent')) return 'absent'
  return verdicts.includes('unknown') ? 'unknown' : 'found'
}

/** The status of a domain after a check, and how many scheduled checks in a row have missed a required record. */
function nextStatus({ status, misses }: Checked, outcome: RecordResult['verdict'], trigger: Trigger): Pick<Checked, 'status' | 'misses'> {
  if (outcome === 'found') return { status: 'VERIFIED', misses: 0 }
  if (outcome === 'unknown') return { status, misses }
  if (trigger === 'request' || status === 'PENDING' || misses + 1 >= maxMisses) return { status: 'PENDING', misses: 0 }
  return { status, misses: misses + 1 }
}

function findingsOf(before: Checked, results: Results, status: Checked['status']): Findings {
  const earlier = storedFindings(before)
  return results.map(({ record: { purpose, required }, result }) => {
    const last = earlier?.find((finding) => finding.purpose === purpose)
    // A query without an answer says nothing about the record, so what the last check found is kept.
    if (result.verdict === 'unknown') return { purpose, found: last?.found ?? false, current: last?.current ?? [], problem: result.problem }
    const note = required && result.verdict === 'absent' && status === 'VERIFIED' ? ` ${staysVerified}` : ''
    return {
      purpose,
      found: result.verdict === 'found',
      current: result.current.slice(0, maxShown.values).map(presentable),
      problem: result.problem && presentable(result.problem + note),
    }
  })
}

const staysVerified = `The domain stays VERIFIED until ${maxMisses} checks in a row have missed it.`

// A TXT record may contain anything, including NUL, which jsonb cannot store.
function presentable(value: string): string {
  return value
    .slice(0, maxShown.characters)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\uFFFD')
}

function problemOf(results: Results): string {
  return results.flatMap(({ record, result }) => (record.required && result.problem !== null ? [result.problem] : [])).join(' ')
}

async function notifyAdmins(
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
