import { requireSameProject } from '../../kit/access.ts'
import type { Ctx } from '../../kit/context.ts'
import type { SetupState } from './shapes.ts'

const mostCounted = 100_000

/** How far a project has come; contacts are counted up to 100,000. Fails with RESOURCE_NOT_FOUND. */
export async function getSetupState(ctx: Ctx, { id }: { id: string }): Promise<SetupState> {
  requireSameProject(ctx, id)
  const { db, projectId } = ctx
  const [contacts, verified, subscription] = await Promise.all([
    db.prisma.contact.count({ where: { projectId }, take: mostCounted }),
    db.prisma.domain.findFirst({ where: { projectId, status: 'VERIFIED' }, select: { id: true } }),
    db.prisma.billingAccount.findUnique({ where: { projectId }, select: { subscription: true } }),
  ])
  return {
    hasSubscription: Boolean(subscription?.subscription),
    hasVerifiedDomain: verified !== null,
    contactCount: contacts,
    // Campaigns and workflows come to this version later: nothing was sent by one, none is enabled.
    lastCampaignSentAt: null,
    hasEnabledWorkflow: false,
  }
}
