import { expect, test } from 'vitest'
import { updateWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { maxWorkflowsPerEvent } from '../../../../src/modules/workflows/shapes.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()

const Enable = graphql(`mutation EnableBeyondTheLimit($id: ID!) { updateWorkflow(input: { id: $id, enabled: true }) { workflow { id } } }`)

test('an event starts at most 20 enabled workflows of a project, however many are enabled at once', async () => {
  const project = await freshProject(world)
  const { ctx, projectId, secret: key } = project
  const now = world.clock.now()
  await world.db.prisma.workflow.createMany({
    data: Array.from({ length: maxWorkflowsPerEvent - 1 }, (_, at) => ({
      ...{ projectId, id: `wfl_${at}`, name: 'Early', enabled: true, eventName: 'signed-up', createdAt: now, updatedAt: now },
    })),
  })
  const late = await Promise.all(['a', 'b', 'c'].map((name) => drawn(ctx, { name })))
  for (const one of late) await step(ctx, one)
  const outcomes = await Promise.allSettled(late.map((one) => enable(ctx, one)))
  const refused = late.filter((_, at) => outcomes[at]?.status === 'rejected')
  expect(refused).toHaveLength(2)
  const [one = { id: '' }, other = { id: '' }] = refused
  const detail = `The event "signed-up" starts 20 enabled workflows of this project; the maximum is 20.`
  const { status, body } = await call(`PATCH /workflows/${one.id}`, { enabled: true }, { key })
  expect([
    status,
    JSON.stringify(body).includes('LIMIT_REACHED'),
    JSON.stringify(body).includes(JSON.stringify(detail).slice(1, -1)),
  ]).toEqual([409, true, true])
  const { errors } = await asker(url, key)(Enable, { id: one.id })
  expect(errors).toMatchObject([{ message: detail, extensions: { code: 'LIMIT_REACHED' } }])
  // Nor by another event, or by what was MANUAL.
  await updateWorkflow(ctx, { id: one.id, triggerConfig: { eventName: 'free' }, enabled: true })
  await expect(updateWorkflow(ctx, { id: one.id, triggerConfig: { eventName: 'signed-up' } })).rejects.toThrow(detail)
  await updateWorkflow(ctx, { id: other.id, triggerType: 'MANUAL', enabled: true })
  await expect(updateWorkflow(ctx, { id: other.id, triggerType: 'EVENT' })).rejects.toThrow(detail)
  // Those that it starts can still be changed, and make room.
  const kept = late.find(({ id }) => id !== one.id && id !== other.id) ?? { id: '' }
  await updateWorkflow(ctx, { id: kept.id, name: 'Renamed' })
  await updateWorkflow(ctx, { id: kept.id, enabled: false })
  await expect(updateWorkflow(ctx, { id: other.id, triggerType: 'EVENT' })).resolves.toMatchObject({ enabled: true })
})
