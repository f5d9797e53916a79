import { requireSameProject } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import type { SetupState } from './shapes.ts'

const maxContactsCounted = 100_000

/** Which steps of its setup a project has completed; contacts are counted up to 100,000. Fails with RESOURCE_NOT_FOUND. */
export async function getSetupState(ctx: Ctx, { id }: { id: string }): Promise<SetupState> {
  requireSameProject(ctx, id)
  const { db, projectId } = ctx
  const [contacts, verified, subscription] = await Promise.all([
    db.prisma.contact.count({ where: { projectId }, take: maxContactsCounted }),
    db.prisma.domain.findFirst({ where: { projectId, status: 'VERIFIED' }, select: { id: true } }),
    db.prisma.billingAccount.findUnique({ where: { projectId }, select: { subscription: true } }),
  ])
  return {
    hasSubscription: Boolean(subscription?.subscription),
    hasVerifiedDomain: verified !== null,
    contactCount: contacts,
    // This version has no campaigns and no workflows yet.
    lastCampaignSentAt: null,
    hasEnabledWorkflow: false,
  }
}
