import { expect, test } from 'vitest'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { replaceCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { createDomain, deleteDomain } from '../../../src/modules/domains/domains.ts'
import { createSegment, deleteSegment } from '../../../src/modules/segments/segments.ts'
import { createTemplate, updateTemplate } from '../../../src/modules/templates/templates.ts'
import { updateWorkflow } from '../../../src/modules/workflows/changes.ts'
import { drafted } from '../../help/campaigns.ts'
import { holder } from '../../help/holder.ts'
import { sendingProject } from '../../help/mails.ts'
import { until } from '../../help/until.ts'
import { drawn, step } from '../../help/workflows.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const { ctx } = await sendingProject(world)
const rounds = 6

let names = 0
const freshDomain = () => createDomain(ctx, { domain: `d${++names}.test` })
const freshSegment = () => createSegment(ctx, { name: `s${++names}`, condition: { field: 'email', operator: 'equals', value: 'ada' } })
const schedule = (id: string) => sendCampaign(ctx, { id, scheduledFor: new Date(world.clock.now().getTime() + 3_600_000) })
const draft = { name: 'News', subject: 'News', body: '<p>Hello</p>' }

/** How often two calls at the same moment were both done, of which one makes the other one impossible. */
async function bothDone(prepare: () => Promise<[one: () => Promise<unknown>, other: () => Promise<unknown>]>): Promise<number> {
  let both = 0
  for (let round = 0; round < rounds; round++) {
    const results = await Promise.allSettled((await prepare()).map((call) => call()))
    const done = results.filter(({ status }) => status === 'fulfilled').length
    expect(done).toBeGreaterThan(0)
    if (done === 2) both++
  }
  return both
}

test('a segment is not deleted while a campaign for it is being scheduled, and none is scheduled for one that is being deleted', async () => {
  const both = await bothDone(async () => {
    const { id: segmentId } = await freshSegment()
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId })
    return [() => schedule(id), () => deleteSegment(ctx, { id: segmentId })]
  })
  expect(both).toBe(0)
})

test('a segment is not deleted while a workflow that asks for it is being enabled', async () => {
  const segment = await freshSegment()
  const workflow = await drawn(ctx, { eventName: 'signed-up' })
  await step(ctx, workflow, { type: 'CONDITION', config: { field: `segment.${segment.id}`, operator: 'memberOfSegment' } })
  const other = await holder(world)
  await other.run('lock table workflow_versions in share mode')
  const enabling = updateWorkflow(ctx, { id: workflow.id, enabled: true })
  const pid = await other.waitedFor()
  let deleted = false
  const deletion = deleteSegment(ctx, segment).then(() => {
    deleted = true
  })
  const refused = expect(deletion).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  const isWaiting = () => other.run('select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [pid])
  await until(async () => {
    await other.run('select pg_stat_clear_snapshot()')
    return deleted || (await isWaiting()).length > 0
  })
  await other.commit()
  expect(await enabling).toMatchObject({ enabled: true })
  await refused
})

test('a domain is not deleted while a campaign from it is being scheduled', async () => {
  const both = await bothDone(async () => {
    const domain = await freshDomain()
    const { id } = await drafted(ctx, { from: `hi@${domain.domain}` })
    return [() => schedule(id), () => deleteDomain(ctx, domain)]
  })
  expect(both).toBe(0)
})

test('neither is deleted while a scheduled campaign comes to need it', async () => {
  const { id } = await drafted(ctx)
  await schedule(id)
  const segments = await bothDone(async () => {
    const { id: segmentId } = await freshSegment()
    return [() => updateCampaign(ctx, { id, audienceType: 'SEGMENT', segmentId }), () => deleteSegment(ctx, { id: segmentId })]
  })
  const asked = await bothDone(async () => {
    const { id: segmentId } = await freshSegment()
    const audienceFilter = { field: `segment.${segmentId}`, operator: 'memberOfSegment' as const }
    return [() => updateCampaign(ctx, { id, audienceType: 'FILTERED', audienceFilter }), () => deleteSegment(ctx, { id: segmentId })]
  })
  const domains = await bothDone(async () => {
    const domain = await freshDomain()
    return [() => replaceCampaign(ctx, { id, from: `hi@${domain.domain}` }), () => deleteDomain(ctx, domain)]
  })
  expect([segments, asked, domains]).toEqual([0, 0, 0])
})

test('what a campaign needs since a change while it is being scheduled is held as well', async () => {
  const { id: segmentId } = await freshSegment()
  const { id } = await drafted(ctx)
  const other = await holder(world)
  const row = [ctx.projectId, id]
  await other.run('select 1 from campaigns where project_id = $1 and id = $2 for update', row)
  const scheduling = schedule(id)
  await other.waitedFor()
  await other.run(`update campaigns set audience_type = 'SEGMENT', segment_id = $3 where project_id = $1 and id = $2`, [...row, segmentId])
  await other.run('delete from segments where project_id = $1 and id = $2', [ctx.projectId, segmentId])
  const refused = expect(scheduling).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'segmentId' }] })
  await other.commit()
  await refused
})

/** A segment of those that another one does not have. */
async function allBut({ id }: { id: string }) {
  return createSegment(ctx, { name: `all but ${++names}`, condition: { field: `segment.${id}`, operator: 'notMemberOfSegment' } })
}

test('a segment is not deleted while another one leads a scheduled campaign or an enabled workflow to it', async () => {
  const inner = await freshSegment()
  const outer = await allBut(await allBut(inner))
  const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: outer.id })
  await schedule(id)
  const through = { code: 'SEGMENT_IN_USE', message: expect.stringContaining('for this segment, through another segment') }
  await expect(deleteSegment(ctx, inner)).rejects.toMatchObject(through)
  await cancelCampaign(ctx, { id })
  const workflow = await drawn(ctx, { eventName: 'signed-up' })
  await step(ctx, workflow, { type: 'CONDITION', config: { field: `segment.${outer.id}`, operator: 'memberOfSegment' } })
  await updateWorkflow(ctx, { id: workflow.id, enabled: true })
  await expect(deleteSegment(ctx, inner)).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  await updateWorkflow(ctx, { id: workflow.id, enabled: false })
  await deleteSegment(ctx, inner)
  // Nobody is a member of it: what is left of the condition would be everybody.
  await expect(sendCampaign(ctx, { id })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(schedule(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'segmentId' }] })
})

test('a segment is not deleted while a campaign for one that leads to it is being scheduled', async () => {
  const both = await bothDone(async () => {
    const inner = await freshSegment()
    const { id } = await drafted(ctx, { audienceType: 'SEGMENT', segmentId: (await allBut(inner)).id })
    return [() => schedule(id), () => deleteSegment(ctx, inner)]
  })
  expect(both).toBe(0)
})

test('a campaign whose condition asks for a segment that was deleted is not scheduled', async () => {
  const { id: segmentId } = await freshSegment()
  const { id } = await drafted(ctx, {
    audienceType: 'FILTERED',
    audienceFilter: { field: `segment.${segmentId}`, operator: 'memberOfSegment' },
  })
  await deleteSegment(ctx, { id: segmentId })
  await expect(schedule(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'audienceFilter' }] })
  expect(await getCampaign(ctx, { id })).toMatchObject({ status: 'DRAFT', statusReason: null })
})

test('a domain is not deleted while a template comes to send from it', async () => {
  const { id } = await createTemplate(ctx, { ...draft, from: 'hi@demo.test' })
  const created = await bothDone(async () => {
    const domain = await freshDomain()
    return [() => createTemplate(ctx, { ...draft, from: `hi@${domain.domain}` }), () => deleteDomain(ctx, domain)]
  })
  const changed = await bothDone(async () => {
    const domain = await freshDomain()
    return [() => updateTemplate(ctx, { id, from: `hi@${domain.domain}` }), () => deleteDomain(ctx, domain)]
  })
  expect([created, changed]).toEqual([0, 0])
})
