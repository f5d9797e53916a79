import { createCampaign } from '../../modules/campaigns/changes.ts'
import { sendCampaign } from '../../modules/campaigns/sending/send.ts'
import { upsertContact } from '../../modules/contacts/contacts.ts'
import { addSegmentMembers } from '../../modules/segments/members/members.ts'
import { computeSegment } from '../../modules/segments/tracking/compute.ts'
import { suppressAddresses } from '../../modules/suppressions/suppressions.ts'
import { cancelWorkflowExecution } from '../../modules/workflows/executions/cancel.ts'
import { listWorkflowExecutions } from '../../modules/workflows/executions/executions.ts'
import { newsContent, yearlyBody } from './contents.ts'
import type { DemoPerson } from './people.ts'
import { goneAddress, type Story } from './story.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Made {
  people: DemoPerson[]
  segments: { paying: string; testers: string }
  templates: { news: string }
  workflowId: string
}

/** Lets a campaign be written and sent, another one be scheduled, and what belongs to it: segments, suppressed addresses. */
export function campaigns(story: Story, made: Made): void {
  const { ctx, timeline, end } = story
  const { people, segments } = made
  const someone = (at: number): string => people[at]?.draft.email ?? ''
  const computed = async () => void (await computeSegment(ctx, { id: segments.paying }))
  for (let at = end - hourMs; at > end - 40 * dayMs; at -= 5 * dayMs) timeline.at(at, computed)
  timeline.at(end - 20 * dayMs, async () => {
    await addSegmentMembers(ctx, { id: segments.testers, emails: [0, 3, 6, 7, 12, 18, 24].map(someone) })
    await suppressAddresses(ctx, { emails: [someone(2)], reason: 'MANUAL' })
  })
  timeline.at(end - 12 * dayMs, async () => void (await upsertContact(ctx, { email: goneAddress, data: { name: 'Nobody' } })))
  timeline.at(end - 4 * dayMs, () => cancelOne(story, made.workflowId))
  send(story, made)
}

function send({ ctx, timeline, end, from, work }: Story, { segments, templates }: Made): void {
  const sender = { ...newsContent, templateId: templates.news, from, fromName: 'Demo' }
  const tenOClock = 10 * hourMs
  const sentAt = Math.floor(end / dayMs - 8) * dayMs + tenOClock
  timeline.at(sentAt - 2 * hourMs, async () => {
    const { id } = await createCampaign(ctx, { ...sender, name: 'Product news, number 12', audienceType: 'ALL' })
    timeline.at(sentAt, async () => void (await sendCampaign(ctx, { id })))
  })
  for (let second = 1; second < 10; second += 2) timeline.at(sentAt + second * 1_000, work)
  timeline.at(end - dayMs, async () => {
    await createCampaign(ctx, { ...sender, name: 'Ask the beta testers', audienceType: 'SEGMENT', segmentId: segments.testers })
    const yearly = await createCampaign(ctx, {
      ...sender,
      name: 'A year with us',
      body: yearlyBody,
      audienceType: 'SEGMENT',
      segmentId: segments.paying,
    })
    await sendCampaign(ctx, { id: yearly.id, scheduledFor: new Date(end + 365 * dayMs) })
  })
}

// The newest one, which is at its delay.
async function cancelOne({ ctx }: Story, id: string): Promise<void> {
  const { data } = await listWorkflowExecutions(ctx, { id, status: 'WAITING', page: 1, pageSize: 1 })
  if (data[0]) await cancelWorkflowExecution(ctx, { id, executionId: data[0].id })
}
