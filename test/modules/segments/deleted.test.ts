import { expect, test } from 'vitest'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import type { FieldFilter } from '../../../src/modules/filters/shapes.ts'
import { createSegment, deleteSegment, findSegment, getSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { drafted } from '../../help/campaigns.ts'
import { holder } from '../../help/holder.ts'
import { sendingProject } from '../../help/mails.ts'
import { drawn, enable, step } from '../../help/workflows.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const { ctx, projectId } = await sendingProject(world)

const isIn = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'memberOfSegment' })
const allBut = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'notMemberOfSegment' })
const created = (name: string) => createSegment(ctx, { name, type: 'STATIC' })
const vips = () => createSegment(ctx, { name: 'VIPs', condition: { field: 'data.vip', operator: 'exists' } })

async function workflowFor(id: string) {
  const workflow = await drawn(ctx)
  await step(ctx, workflow, { type: 'CONDITION', config: isIn(id) })
  await enable(ctx, workflow)
}

async function campaignFor(segmentId: string) {
  const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId })
  await sendCampaign(ctx, { id, scheduledFor: new Date(world.clock.now().getTime() + 3_600_000) })
}

test.each([
  ['an enabled workflow', workflowFor],
  ['a scheduled campaign', campaignFor],
])('a segment is not deleted while another one, which %s needs, comes to ask for it', async (_what, needs) => {
  const [inner, outer] = [await created('Opted out'), await vips()]
  await needs(outer.id)
  const other = await holder(world)
  await other.run('select 1 from segments where project_id = $1 and id = $2 for update', [projectId, outer.id])
  const editing = updateSegment(ctx, { id: outer.id, condition: allBut(inner.id) })
  await other.waitedFor()
  const deletion = deleteSegment(ctx, inner)
  const refused = expect(deletion).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  await other.waitedForOrEnded(2, deletion)
  await other.commit()
  expect(await editing).toMatchObject({ condition: allBut(inner.id) })
  await refused
  expect(await getSegment(ctx, inner)).toMatchObject({ name: 'Opted out' })
})

test.each([
  ['created', () => vips(), (id: string) => createSegment(ctx, { name: 'All but', condition: allBut(id) })],
  ['changed', () => vips(), (id: string, of: string) => updateSegment(ctx, { id: of, condition: allBut(id) })],
])('a segment that is %s while one that it asks for is being deleted is refused', async (_how, prepare, change) => {
  const [inner, outer] = [await created('Opted out'), await prepare()]
  const other = await holder(world)
  await other.run('lock table pgboss.job in share mode')
  const deletion = deleteSegment(ctx, inner)
  await other.waitedFor()
  const changing = change(inner.id, outer.id)
  const refused = expect(changing).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ code: 'unknown_segment' }] })
  await other.waitedForOrEnded(2, changing)
  await other.commit()
  await deletion
  await refused
  expect(await findSegment(ctx, inner, {})).toBeNull()
})

test('a segment that an enabled workflow needs does not come to ask for one that leads to a deleted one', async () => {
  const [inner, outer] = [await created('Opted out'), await vips()]
  const between = await createSegment(ctx, { name: 'Between', condition: allBut(inner.id) })
  await deleteSegment(ctx, inner)
  const change = { id: outer.id, condition: isIn(between.id) }
  await updateSegment(ctx, change)
  await updateSegment(ctx, { id: outer.id, condition: { field: 'data.vip', operator: 'exists' } })
  await workflowFor(outer.id)
  await expect(updateSegment(ctx, change)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'condition', code: 'unknown_segment' }],
  })
})
