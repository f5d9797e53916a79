import { z } from 'zod'
import { notFound } from '../../../kit/errors.ts'
import { EmailAddress } from '../../../kit/shapes.ts'
import { chargeOf, recordCharge } from '../../billing/charge.ts'
import { requireSendingDomain, senderStanding } from '../../domains/domains.ts'
import type { ContentDraft } from '../../emails/accept/accept.ts'
import { acceptExecutionEmail } from '../../emails/accept/execution.ts'
import { contentOfTemplate } from '../../emails/accept/template.ts'
import { appendEvents } from '../../events/log.ts'
import { getTemplate } from '../../templates/templates.ts'
import { kind, plain } from './kind.ts'
import { hasUnhandled, nextLook } from './turn.ts'
import type { Act, Visit } from './visit.ts'

const recipient = z.object({
  type: z.enum(['CONTACT', 'CUSTOM']),
  // The email is still one of the contact: its data and its links are those of the contact.
  customEmail: EmailAddress.optional(),
})

const config = z.object({ recipient: recipient.optional() })

type SendVisit = Visit<z.output<typeof config>>

/** Sends the template of the step to the contact, or to another address. */
export const sendEmail = kind({
  label: 'Send email',
  meaning: 'Sends a template to the contact, or to another address.',
  parts: '`templateId`; `recipient`: `{ "type": "CONTACT" }` (default) or `{ "type": "CUSTOM", "customEmail": … }`',
  output: '`emailId`, `sentAt`, `recipientType`, `recipientEmail`; while its sender domain is not verified, for up to 24 hours: `waiting`',
  config,
  takesTemplate: true,
  exits: () => [plain],
  missing: ({ recipient: to }) => (to?.type === 'CUSTOM' && !to.customEmail ? '"recipient.customEmail"' : null),
  run: async (visit) => {
    const { ctx, step, record, now } = visit
    if (step.templateId === null) return { kind: 'fail', error: 'The step has no template.' }
    const template = await getTemplate(ctx, { id: step.templateId })
    const standing = await senderStanding(ctx, template.from)
    const waiting = `The sender domain of ${template.from} is not verified at the moment.`
    const isGivenUp = standing === 'unverified' && record !== null && now.getTime() - record.startedAt.getTime() >= maxWaitMs
    if (standing === 'unverified' && !isGivenUp)
      return { kind: 'wait', wakeAt: new Date(now.getTime() + lookMs), endsAt: null, output: { waiting } }
    // A wait is over at the look that first finds the domain verified, an earlier one or this one, or gives it up. What happened until
    // then may end the execution.
    const endsAt = record && (record.scheduledFor ?? now)
    if (endsAt && (await hasUnhandled(visit, endsAt))) return { kind: 'wait', wakeAt: nextLook(visit, endsAt), endsAt, output: {} }
    if (isGivenUp) return { kind: 'fail', error: `Given up after 24 hours: ${waiting}` }
    if (standing === 'unknown') await requireSendingDomain(ctx, template.from)
    const context = await visit.readContext()
    // As a field of its own as well, for templates that name the event.
    return send(visit, contentOfTemplate(template, { ...context, event: context }))
  },
})

// As emails wait that were accepted before: a record of the DNS of their sender domain may be missing for a moment.
const lookMs = 5 * 60_000
const maxWaitMs = 24 * 3_600_000

function send({ ctx, contactId, executionId, workflow, depth, step, now }: SendVisit, content: ContentDraft): Act {
  const { world, projectId } = ctx
  const { type = 'CONTACT', customEmail } = step.config.recipient ?? {}
  const to = type === 'CUSTOM' ? (customEmail ?? null) : null
  return async (tx) => {
    const refusal = await recordCharge(tx, world, chargeOf(ctx, { category: 'workflows', count: 1, at: now }))
    if (refusal) return { kind: 'fail', error: refusal.message }
    const accepted = await acceptExecutionEmail(tx, world, { projectId, contactId, executionId, to, content })
    if (!accepted) throw notFound('CONTACT_NOT_FOUND')
    const { emailId, toAddress } = accepted
    const data = { workflowId: workflow.id, workflowName: workflow.name, executionId, stepId: step.id, depth }
    await appendEvents(tx, world, { projectId, at: now, lines: [{ name: 'workflow.email.scheduled', contactId, emailId, data }] })
    return {
      kind: 'leave',
      exit: plain,
      output: { emailId, sentAt: now.toISOString(), recipientType: type, recipientEmail: toAddress },
    }
  }
}
