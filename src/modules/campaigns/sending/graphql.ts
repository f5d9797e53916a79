import { z } from 'zod'
import { builder, payloadOf } from '../../../kit/builder.ts'
import { ById } from '../../../kit/shapes.ts'
import { enumOf, graphqlInput } from '../../../kit/zod-input.ts'
import { storedOf } from '../campaigns.ts'
import { Campaign, changedCampaign } from '../graphql.ts'
import { CampaignStatus } from '../shapes.ts'
import type { StoredCampaign } from '../stored.ts'
import { sendCampaign } from './send.ts'
import { sendCampaignTest, sendTemplateTest } from './send-test.ts'
import { CampaignSending, CampaignTest, TemplateTest } from './shapes.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign } from './stop.ts'

const Status = enumOf('CampaignStatus', CampaignStatus, 'How far a campaign is.', {
  DRAFT: 'It can be changed, and sent.',
  SCHEDULED: 'It is sent at `scheduledAt`; until then it can be changed.',
  SENDING: 'Its recipients are fixed, and its emails leave.',
  SENT: 'Every email has left, or will not. Final.',
  CANCELLED:
    'It was cancelled after something had left. Final once the call that cancelled it has been answered: until then, for some seconds, it may still become a DRAFT again.',
})

builder.prismaObjectFields('Campaign', (t) => ({
  status: t.expose('status', { type: Status, description: 'How far it is.' }),
  statusReason: t.exposeString('statusReason', {
    nullable: true,
    description: 'Why the platform made it a draft again, or why its emails wait: a sentence; null otherwise.',
  }),
  paused: t.exposeBoolean('paused', { description: 'Whether its sending is paused.' }),
  maxPerHour: t.exposeInt('maxPerHour', { nullable: true, description: 'How many emails leave per hour at most; null for no limit.' }),
  scheduledAt: t.expose('scheduledFor', { type: 'DateTime', nullable: true, description: 'When it is sent, or was to be sent.' }),
  sentAt: t.expose('sentAt', { type: 'DateTime', nullable: true, description: 'When the first email was ready to leave.' }),
  finishedAt: t.expose('finishedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When it became SENT, or CANCELLED after something had left; null before.',
  }),
}))

const sending = graphqlInput(
  'SendCampaignInput',
  CampaignSending.extend({
    scheduledFor: z
      .date()
      .nullable()
      .optional()
      .describe(CampaignSending.shape.scheduledFor.description ?? ''),
  }),
  { names: { scheduledFor: 'scheduledAt' } },
)
const cancellation = graphqlInput('CancelCampaignInput', ById)
const pausing = graphqlInput('PauseCampaignInput', ById)
const resuming = graphqlInput('ResumeCampaignInput', ById)

const testing = graphqlInput('SendCampaignTestInput', CampaignTest.extend({ contactId: TemplateTest.shape.contactId }))
const testingTemplate = graphqlInput('SendTemplateTestInput', TemplateTest)

const payload = (name: `${string}Payload`) =>
  payloadOf<{ campaign: StoredCampaign & { body: string } }>(name, (t) => ({
    campaign: t.field({ type: Campaign, description: 'The campaign as it is now.', resolve: changedCampaign }),
  }))
const SendCampaignPayload = payload('SendCampaignPayload')
const CancelCampaignPayload = payload('CancelCampaignPayload')
const PauseCampaignPayload = payload('PauseCampaignPayload')
const ResumeCampaignPayload = payload('ResumeCampaignPayload')
const SendCampaignTestPayload = payloadOf<{ message: string }>('SendCampaignTestPayload', (t) => ({
  message: t.exposeString('message', { description: 'What was done, in a sentence.' }),
}))
const SendTemplateTestPayload = payloadOf<{ message: string }>('SendTemplateTestPayload', (t) => ({
  message: t.exposeString('message', { description: 'What was done, in a sentence.' }),
}))

builder.mutationFields((t) => ({
  sendCampaign: t.field({
    type: SendCampaignPayload,
    description:
      'Sends a campaign now or at a time in the future. It is a draft again, with `statusReason`, if a segment, a field or an event that its audience asks is deleted from when it is scheduled, or its audience was last changed, until its recipients are fixed. Fails with RESOURCE_NOT_FOUND, CONFLICT unless it is DRAFT or SCHEDULED, DOMAIN_NOT_VERIFIED, VALIDATION_ERROR, LIMIT_REACHED while 100 campaigns of the project are scheduled or being sent, and BILLING_LIMIT_EXCEEDED when not all would fit under the caps: then nobody is sent it.',
    args: sending.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: storedOf(await sendCampaign(ctx, sending.read(args))) }),
  }),
  cancelCampaign: t.field({
    extensions: { waits: true },
    type: CancelCampaignPayload,
    description:
      'Cancels a campaign: nothing of it leaves after the answer. It becomes a DRAFT again when nothing has left yet, otherwise CANCELLED for good. Fails with RESOURCE_NOT_FOUND and CONFLICT.',
    args: cancellation.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: storedOf(await cancelCampaign(ctx, cancellation.read(args))) }),
  }),
  pauseCampaign: t.field({
    extensions: { waits: true },
    type: PauseCampaignPayload,
    description:
      'Pauses a campaign: nothing of it leaves after the answer, until it is resumed. Fails with RESOURCE_NOT_FOUND and CONFLICT.',
    args: pausing.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: storedOf(await pauseCampaign(ctx, pausing.read(args))) }),
  }),
  resumeCampaign: t.field({
    type: ResumeCampaignPayload,
    description: 'Resumes a campaign that was paused. Fails with RESOURCE_NOT_FOUND and CONFLICT.',
    args: resuming.args(t),
    resolve: async (_parent, args, ctx) => ({ campaign: storedOf(await resumeCampaign(ctx, resuming.read(args))) }),
  }),
}))

builder.mutationFields((t) => ({
  sendCampaignTest: t.field({
    type: SendCampaignTestPayload,
    extensions: { cost: 50, waits: true },
    description:
      'Sends a campaign to one address as a test, at once: with `[TEST]` before the subject and without tracking; nothing is stored or counted. A person may send it to members of the project only (FORBIDDEN), and a project 100 tests per hour (RATE_LIMIT_EXCEEDED). Fails with RESOURCE_NOT_FOUND, CONTACT_NOT_FOUND, DOMAIN_NOT_VERIFIED, VALIDATION_ERROR when it cannot be rendered or is refused, and SERVICE_UNAVAILABLE.',
    args: testing.args(t),
    resolve: (_parent, args, ctx) => sendCampaignTest(ctx, testing.read(args)),
  }),
  sendTemplateTest: t.field({
    type: SendTemplateTestPayload,
    extensions: { cost: 50, waits: true },
    description:
      'Sends a template to one address as a test, as sendCampaignTest sends a campaign, and with the same limits. Fails with TEMPLATE_NOT_FOUND, CONTACT_NOT_FOUND, FORBIDDEN, RATE_LIMIT_EXCEEDED, DOMAIN_NOT_VERIFIED, VALIDATION_ERROR when it cannot be rendered or is refused, and SERVICE_UNAVAILABLE.',
    args: testingTemplate.args(t),
    resolve: (_parent, args, ctx) => sendTemplateTest(ctx, testingTemplate.read(args)),
  }),
}))
