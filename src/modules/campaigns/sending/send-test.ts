import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { requireSendingDomain } from '../../domains/domains.ts'
import { sendTestEmail } from '../../emails/preview/test-email.ts'
import { type AttemptLimit, takeAttempt } from '../../users/attempts.ts'
import { getCampaign } from '../campaigns.ts'
import type { CampaignTest } from '../shapes.ts'

const hourMs = 3_600_000

// Tests count against no cap and no rate.
const ofProject: AttemptLimit = {
  name: 'campaign test',
  max: 100,
  windowMs: hourMs,
  message: 'This project has sent 100 tests of campaigns in the last hour.',
}

/**
 * Sends a campaign to one address as a test, at once: nothing is stored or counted. Fails with RESOURCE_NOT_FOUND, DOMAIN_NOT_VERIFIED,
 * FORBIDDEN when a person sends it to somebody who is not a member of the project, RATE_LIMIT_EXCEEDED beyond 100 tests of a project
 * in an hour, and as sendTestEmail does.
 */
export async function sendCampaignTest(ctx: Ctx, { id, email: to }: CampaignTest): Promise<{ success: true; message: string }> {
  const { type, subject, previewText, body, from, fromName, replyTo } = await getCampaign(ctx, { id })
  if (ctx.actor.kind === 'user') await requireMember(ctx, to)
  await requireSendingDomain(ctx, from)
  await takeAttempt(ctx, ofProject, ctx.projectId)
  const content = { type, subject, previewText, html: body, fromAddress: from, fromName, replyTo }
  await sendTestEmail(ctx, { content, to })
  return { success: true, message: `Test email sent to ${to}` }
}

async function requireMember({ db, projectId }: Ctx, email: string): Promise<void> {
  const member = await db.prisma.membership.findFirst({ where: { projectId, user: { email } }, select: { userId: true } })
  if (!member)
    throw new Failure('FORBIDDEN', 'Test emails can only be sent to members of the project.', {
      suggestion: 'Invite the person first, or send the test with the secret key.',
    })
}
