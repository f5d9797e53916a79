import { expect, test } from 'vitest'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { asker } from '../../help/ask.ts'
import { drafted } from '../../help/campaigns.ts'
import { graphql } from '../../help/graphql/index.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const { call, url, world } = await testServer()
const SegmentUses = graphql(`
  query SegmentUses($id: ID!) { segment(id: $id) { usage { canDelete campaigns { totalCount nodes { id status } } } } }
`)

test('a campaign that is for a segment, and one that asks for it and is scheduled, are each listed once, newest first', async () => {
  const { ctx, secret: key } = await sendingProject(world)
  const { id } = await createSegment(ctx, { name: 'Pro', condition: { field: 'data.plan', operator: 'equals', value: 'pro' } })
  const audienceFilter = { field: `segment.${id}`, operator: 'memberOfSegment' } as const
  const meant = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: id })
  const asking = await drafted(ctx, { audienceType: 'FILTERED', audienceFilter })
  const scheduledFor = new Date(world.clock.now().getTime() + 86_400_000).toISOString()
  await call(`POST /campaigns/${asking.id}/send`, { scheduledFor }, { key })
  await drafted(ctx)
  const { data, errors } = await asker(url, key)(SegmentUses, { id })
  expect(errors).toEqual([])
  expect(data?.segment?.usage).toEqual({
    canDelete: false,
    campaigns: {
      totalCount: 2,
      nodes: [
        { id: asking.id, status: 'SCHEDULED' },
        { id: meant.id, status: 'DRAFT' },
      ],
    },
  })
  const refused = await call(`DELETE /segments/${id}`, undefined, { key })
  expect([refused.status, refused.body.error.code]).toEqual([409, 'SEGMENT_IN_USE'])
})
