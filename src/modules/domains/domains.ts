import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { requireSameProject } from '../../kit/access.ts'
import { domainOf } from '../../kit/address.ts'
import { announceEverywhere } from '../../kit/announce.ts'
import { type Ctx, ownersOf } from '../../kit/context.ts'
import { isReservedDomain } from '../../kit/domain-name.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { createShare } from '../../kit/share.ts'
import { perWorld } from '../../kit/world.ts'
import { recordChange } from '../projects/changes.ts'
import { stillAdmin } from '../projects/members/rights.ts'
import { untilNothingLeaves } from '../projects/queue/leaving.ts'
import { dnsRecords, type RecordSource } from './dns/records.ts'
import { linksUrlOf } from './links.ts'
import { announceDomains, domainsTopic, maySendFrom } from './sending.ts'
import type { Domain, DomainDraft } from './shapes.ts'
import {
  countDomains,
  countTemplatesFrom,
  findCampaignFrom,
  holdVerified,
  insertDomain,
  lockProjectDomains,
  lockToDelete,
  removeDomain,
} from './sql.ts'
import { findWarmUps } from './warm-up/warm-up.ts'

const domainColumns = {
  id: true,
  domain: true,
  status: true,
  dkimSelector: true,
  dkimPublic: true,
  findings: true,
  checkedAt: true,
  warmUpAt: true,
  createdAt: true,
  updatedAt: true,
} as const

/** Maximum number of domains per project. */
const maxDomains = 50

type Call = Pick<Ctx, 'db' | 'clock' | 'config' | 'projectId'>

/** The domains of the project, newest first, at most 50. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function listDomains(ctx: Call, input: { projectId: string }): Promise<Domain[]> {
  const { db, projectId } = ctx
  requireSameProject({ projectId }, input.projectId)
  const rows = await db.prisma.domain.findMany({ where: { projectId }, select: domainColumns, orderBy: { id: 'desc' }, take: maxDomains })
  return shown(ctx, rows)
}

/** The domains of the project as a connection, newest first. */
export async function connectDomains(ctx: Call, args: ConnectionArgs): Promise<Connection<Domain>> {
  const { db, projectId } = ctx
  const { where, ...window } = idWindow('domain', args)
  const rows = await db.prisma.domain.findMany({ ...window, where: { projectId, ...where }, select: domainColumns })
  return connect(await shown(ctx, rows), args, () => db.prisma.domain.count({ where: { projectId } }))
}

/** One domain. Fails with RESOURCE_NOT_FOUND. */
export async function getDomain(ctx: Call, { id }: { id: string }): Promise<Domain> {
  const { db, projectId } = ctx
  const row = await db.prisma.domain.findUnique({ where: { projectId_id: { projectId, id } }, select: domainColumns })
  const [domain] = await shown(ctx, row ? [row] : [])
  if (!domain) throw notFound()
  return domain
}

/**
 * Adds a domain with a DKIM key of its own and returns the DNS records to set. Outside production, a name under .test or
 * .localhost is verified at once. Fails with CONFLICT when the project already has the domain, LIMIT_REACHED when it has 50 domains,
 * SERVICE_UNAVAILABLE when its turn has not come after 15 s.
 */
export async function createDomain(ctx: Ctx, { domain }: DomainDraft): Promise<Domain> {
  return additionsOf(ctx.world)(ownersOf(ctx), () => addDomain(ctx, domain), { ended: ctx.left?.() })
}

// A key takes one of the few threads that also hash passwords for up to a second, so one is made at a time, and only for a
// domain that can be added: calls that wait check when it is their turn.
const additionsOf = perWorld(() => createShare({ max: 1, maxPerOwner: 1, busy: 'Too many domains are being added at the moment.' }))

async function addDomain(ctx: Ctx, domain: string): Promise<Domain> {
  const { db, clock, vault, config, projectId } = ctx
  await requireRoomForDomain(db, projectId, domain)
  const { privatePem, publicBase64 } = await newDkimKey()
  const now = clock.now()
  const id = newId('domain', now)
  const key = [dkimSelector(id), publicBase64, vault.seal('dkim', privatePem)]
  const state = !config.production && isReservedDomain(domain) ? ['VERIFIED', now, null] : ['PENDING', null, now]
  const [status, checkedAt, checkAt] = state
  await db.transaction(async (tx) => {
    await tx.run(lockProjectDomains, [projectId])
    await stillAdmin(ctx, tx)
    // Again under the lock: another process may have added domains in between.
    await requireRoomForDomain(tx, projectId, domain)
    await tx.run(insertDomain, [projectId, id, domain, status, ...key, checkedAt, checkAt, now])
    await recordChange(ctx, tx, { projectId, fields: ['domains'] })
  })
  return getDomain(ctx, { id })
}

async function requireRoomForDomain(on: Executor, projectId: string, domain: string): Promise<void> {
  const [existing] = await on.run(countDomains, [projectId, domain])
  if (existing?.included) throw new Failure('CONFLICT', `The domain ${domain} is already in this project.`)
  if (existing && existing.count >= maxDomains)
    throw new Failure('LIMIT_REACHED', `This project has ${maxDomains} domains, which is the maximum.`, {
      suggestion: 'Delete domains you no longer send from, or use another project.',
    })
}

/** Deletes a domain: once this returns nothing is handed to a mail server that is sent from it. Fails with RESOURCE_NOT_FOUND, and DOMAIN_IN_USE while templates, or campaigns that are scheduled or being sent, send from it. */
export async function deleteDomain(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { db, projectId } = ctx
  await db.transaction(async (tx) => {
    await stillAdmin(ctx, tx)
    const [locked] = await tx.run(lockToDelete, [projectId, id])
    if (!locked) throw notFound()
    await requireUnused(tx, projectId, locked.domain)
    await tx.run(removeDomain, [projectId, id])
    await recordChange(ctx, tx, { projectId, fields: ['domains'] })
  })
  announceDomains(ctx.world, projectId)
  await announceEverywhere(ctx.notices, domainsTopic, projectId)
  await untilNothingLeaves(ctx)
}

async function requireUnused(tx: Executor, projectId: string, domain: string): Promise<void> {
  const [templates] = await tx.run(countTemplatesFrom, [projectId, `@${domain}`])
  if (templates && templates.count > 0) {
    const which = templates.count === 1 ? 'A template sends' : `${templates.count} templates send`
    throw new Failure('DOMAIN_IN_USE', `${which} from ${domain}.`, {
      suggestion: 'First change the sender of these templates, or delete them.',
    })
  }
  const [campaign] = await tx.run(findCampaignFrom, [projectId, `@${domain}`])
  if (campaign)
    throw new Failure('DOMAIN_IN_USE', `The campaign "${campaign.name}", which is scheduled or being sent, sends from ${domain}.`, {
      suggestion: 'Cancel it first, or wait until it is sent.',
    })
}

/** Where the links of emails from an address are, as `linksUrlOf` says. */
export async function getLinksUrl({ world, db, projectId }: Pick<Ctx, 'world' | 'db' | 'projectId'>, address: string): Promise<string> {
  const domain = domainOf(address)
  const row = await db.prisma.domain.findUnique({ where: { projectId_domain: { projectId, domain } }, select: { ownLinks: true } })
  return linksUrlOf(world, { address, hasOwnLinks: row?.ownLinks ?? false })
}

/** Passes when the part of an address after the @ is exactly a verified domain of the project. Fails with DOMAIN_NOT_VERIFIED otherwise. */
export async function requireSendingDomain({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, address: string): Promise<void> {
  const domain = domainOf(address).toLowerCase()
  if (!(await maySendFrom(world, projectId, domain))) throw notVerified(domain)
}

/**
 * What the domain of an address is to the project: `unverified` one that it has and that may be verified again, as after a mistake in its DNS
 * records, `unknown` one that it has not.
 */
export async function senderStanding(
  { world, db, projectId }: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  address: string,
): Promise<'verified' | 'unverified' | 'unknown'> {
  const domain = domainOf(address).toLowerCase()
  if (await maySendFrom(world, projectId, domain)) return 'verified'
  const row = await db.prisma.domain.findUnique({ where: { projectId_domain: { projectId, domain } }, select: { id: true } })
  return row ? 'unverified' : 'unknown'
}

/**
 * Requires the same in the transaction that stores a sender, until whose end nobody deletes the domain. Fails with DOMAIN_NOT_VERIFIED.
 */
export async function holdSendingDomain(tx: Executor, projectId: string, address: string): Promise<void> {
  const domain = domainOf(address).toLowerCase()
  if ((await tx.run(holdVerified, [projectId, domain])).length === 0) throw notVerified(domain)
}

const notVerified = (domain: string): Failure => new Failure('DOMAIN_NOT_VERIFIED', `${domain} is not a verified domain of this project.`)

type DomainRow = RecordSource & { id: string; checkedAt: Date | null; warmUpAt: Date | null; createdAt: Date; updatedAt: Date }

async function shown(ctx: Call, rows: DomainRow[]): Promise<Domain[]> {
  const warmUps = await findWarmUps(ctx, rows)
  return rows.map((row) => {
    const { dkimSelector: _selector, dkimPublic: _key, findings: _findings, warmUpAt: _at, ...domain } = row
    const warmUp = warmUps.get(row.id) ?? null
    return { ...domain, verified: row.status === 'VERIFIED', warmUp, records: dnsRecords(row, ctx.config) }
  })
}

const generate = promisify(generateKeyPair)

/** Generates an RSA-2048 key (RFC 8301, 3.2) off the main thread: the private key as PEM, the public key as in the DNS record. */
export async function newDkimKey(): Promise<{ privatePem: string; publicBase64: string }> {
  const { privateKey, publicKey } = await generate('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { privatePem: privateKey, publicBase64: publicKey.toString('base64') }
}

/** The selector of a domain's key. It is unique per domain and project, so that several projects can sign for one name (RFC 6376, 3.1). */
export function dkimSelector(domainId: string): string {
  return `pw${domainId.slice(-12)}`
}
