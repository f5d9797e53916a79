import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { requireSendingDomain } from '../../domains/domains.ts'
import { contentOfTemplate } from '../../emails/preview/preview.ts'
import { sendTestEmail, type TestEmail } from '../../emails/preview/test-email.ts'
import { getTemplate } from '../../templates/templates.ts'
import { type AttemptLimit, takeAttempt } from '../../users/attempts.ts'
import { getCampaign } from '../campaigns.ts'
import type { CampaignTest, TemplateTest } from './shapes.ts'

interface Tested {
  success: true
  message: string
}

const hourMs = 3_600_000

// Tests count against no cap and no rate.
const ofProject: AttemptLimit = {
  name: 'campaign test',
  max: 100,
  windowMs: hourMs,
  message: 'This project has sent 100 tests in the last hour.',
}

/**
 * Sends a campaign to one address as a test, at once, rendered for a contact: nothing is stored or counted. Fails with RESOURCE_NOT_FOUND, CONTACT_NOT_FOUND, DOMAIN_NOT_VERIFIED,
 * FORBIDDEN when a person sends it to somebody who is not a member of the project, RATE_LIMIT_EXCEEDED beyond 100 tests of a project
 * in an hour, and as sendTestEmail does.
 */
export async function sendCampaignTest(
  ctx: Ctx,
  { id, email: to, contactId }: CampaignTest & Pick<TemplateTest, 'contactId'>,
): Promise<Tested> {
  return sendTest(ctx, { content: contentOfTemplate(await getCampaign(ctx, { id })), to, contactId })
}

/** Sends a template likewise, rendered for a contact. Fails like sendCampaignTest, with TEMPLATE_NOT_FOUND and CONTACT_NOT_FOUND. */
export async function sendTemplateTest(ctx: Ctx, { id, email: to, contactId }: TemplateTest): Promise<Tested> {
  return sendTest(ctx, { content: contentOfTemplate(await getTemplate(ctx, { id })), to, contactId })
}

async function sendTest(ctx: Ctx, test: Omit<TestEmail, 'requireAllowed'>): Promise<Tested> {
  const requireAllowed = async (): Promise<void> => {
    if (ctx.actor.kind === 'user') await requireMember(ctx, test.to)
    await requireSendingDomain(ctx, test.content.fromAddress)
  }
  await requireAllowed()
  await takeAttempt(ctx, ofProject, ctx.projectId)
  await sendTestEmail(ctx, { ...test, requireAllowed })
  return { success: true, message: `Test email sent to ${test.to}` }
}

async function requireMember({ db, projectId }: Ctx, email: string): Promise<void> {
  const member = await db.prisma.membership.findFirst({ where: { projectId, user: { email } }, select: { userId: true } })
  if (!member)
    throw new Failure('FORBIDDEN', 'Test emails can only be sent to members of the project.', {
      suggestion: 'Invite the person first, or send the test with the secret key.',
    })
}
