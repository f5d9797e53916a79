import { expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { addSegmentMembers } from '../../../../src/modules/segments/members/members.ts'
import { createSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { computeSegment } from '../../../../src/modules/segments/tracking/compute.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const SegmentsOfEach = graphql(`query SegmentsOfEach { contacts { nodes { email segments(first: 5) { totalCount nodes { name } } } } }`)
const { url, world } = await testServer()

test('the segments of a contact are static and tracked ones; one that is not tracked any more is left out, and comes back with it', async () => {
  const { ctx, secret } = await freshProject(world)
  const email = 'ada@example.com'
  await upsertContact(ctx, { email })
  await upsertContact(ctx, { email: 'bob@example.com', subscribed: false })
  const condition = { field: 'subscribed', operator: 'equals', value: true } as const
  await createSegment(ctx, { name: 'Never tracked', condition })
  const picked = await createSegment(ctx, { name: 'Picked', type: 'STATIC' })
  await addSegmentMembers(ctx, { id: picked.id, emails: [email] })
  const tracked = await createSegment(ctx, { name: 'Tracked', condition, trackMembership: true })
  await computeSegment(ctx, { id: tracked.id })
  const segments = async () => {
    const { data } = await asker(url, secret)(SegmentsOfEach)
    const of = Object.fromEntries((data?.contacts.nodes ?? []).map((node) => [node.email, node.segments]))
    expect(of['bob@example.com']).toEqual({ totalCount: 0, nodes: [] })
    expect(of[email]?.totalCount).toBe(of[email]?.nodes.length)
    return of[email]?.nodes.map(({ name }) => name)
  }
  expect(await segments()).toEqual(['Tracked', 'Picked'])
  await updateSegment(ctx, { id: tracked.id, trackMembership: false })
  expect(await segments()).toEqual(['Picked'])
  await updateSegment(ctx, { id: tracked.id, trackMembership: true })
  expect(await segments()).toEqual(['Tracked', 'Picked'])
})
