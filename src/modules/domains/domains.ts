import type { Ctx } from '../../kit/context.ts'
import { isDuplicate } from '../../kit/db.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { dkimSelector, newDkimKey } from './dkim.ts'
import { isReservedName } from './name.ts'
import { dnsRecords, type ProvedBy } from './records.ts'
import { domainsTopic, sendingDomains } from './sending.ts'
import type { Domain, DomainDraft } from './shapes.ts'

const visible = {
  id: true,
  domain: true,
  status: true,
  dkimSelector: true,
  dkimPublic: true,
  checkedAt: true,
  createdAt: true,
  updatedAt: true,
} as const

/** The domains of the project, newest first. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function listDomains({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, asked: { projectId: string }): Promise<Domain[]> {
  if (asked.projectId !== projectId) throw notFound()
  const rows = await db.prisma.domain.findMany({ where: { projectId }, select: visible, orderBy: { id: 'desc' } })
  return rows.map(shown)
}

/** One domain. Fails with RESOURCE_NOT_FOUND. */
export async function getDomain({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>, { id }: { id: string }): Promise<Domain> {
  const row = await db.prisma.domain.findUnique({ where: { projectId_id: { projectId, id } }, select: visible })
  if (!row) throw notFound()
  return shown(row)
}

/**
 * Adds a domain with a DKIM key of its own and answers the DNS records that prove it. Outside production a name under
 * .test or .localhost is verified at once (decisions.md 11). Fails with CONFLICT when the project has it already.
 */
export async function createDomain({ db, clock, vault, config, projectId }: Ctx, { domain }: DomainDraft): Promise<Domain> {
  const { privatePem, publicBase64 } = await newDkimKey()
  const now = clock.now()
  const id = newId('domain', now)
  const proved = !config.production && isReservedName(domain)
  const key = { dkimSelector: dkimSelector(id), dkimPublic: publicBase64, dkimSealed: vault.seal('dkim', privatePem) }
  const state = { status: proved ? 'VERIFIED' : 'PENDING', checkedAt: proved ? now : null } as const
  try {
    return shown(
      await db.prisma.domain.create({ data: { projectId, id, domain, ...key, ...state, createdAt: now, updatedAt: now }, select: visible }),
    )
  } catch (error) {
    if (isDuplicate(error)) throw new Failure('CONFLICT', `The domain ${domain} is already in this project.`)
    throw error
  }
}

/** Removes a domain; nothing can be sent from it any more. Fails with CONFLICT while templates send from it. */
export async function deleteDomain(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { db, projectId } = ctx
  const { domain } = await getDomain(ctx, { id })
  const templates = await db.prisma.template.count({ where: { projectId, from: { endsWith: `@${domain}` } } })
  if (templates > 0) {
    const few = templates === 1 ? 'A template sends' : `${templates} templates send`
    throw new Failure('CONFLICT', `${few} from ${domain}.`, { suggestion: 'Change the sender of those templates, or delete them, first.' })
  }
  await db.prisma.domain.deleteMany({ where: { projectId, id } })
  sendingDomains(ctx.world).forget(projectId)
  ctx.notices.publish(domainsTopic, projectId)
}

/** Passes when the part after the @ is exactly a verified domain of the project; fails with DOMAIN_NOT_VERIFIED otherwise. */
export async function requireSendingDomain({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, address: string): Promise<void> {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  if (await sendingDomains(world).allows(projectId, domain)) return
  throw new Failure('DOMAIN_NOT_VERIFIED', `${domain} is not a verified domain of this project.`)
}

function shown(row: ProvedBy & { id: string; checkedAt: Date | null; createdAt: Date; updatedAt: Date }): Domain {
  const { dkimSelector: _selector, dkimPublic: _key, ...domain } = row
  return { ...domain, verified: row.status === 'VERIFIED', records: dnsRecords(row) }
}
