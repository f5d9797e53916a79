import { expect, test } from 'vitest'
import { createCampaign, updateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { createSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import { createTemplate, updateTemplate } from '../../../src/modules/templates/templates.ts'
import { restoreTemplateVersion } from '../../../src/modules/templates/versions/versions.ts'
import { updateWorkflow } from '../../../src/modules/workflows/changes.ts'
import { updateWorkflowStep } from '../../../src/modules/workflows/graph/steps.ts'
import { asker } from '../../help/ask.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { drawn, step } from '../../help/workflows.ts'

const { world, url } = await testServer()
const content = { name: 'A', subject: 'S', body: 'B', from: 'hello@demo.test' }

/** Things that are changed by `update<Type>`, each with the query of when it last changed. */
async function made() {
  const { ctx, secret } = await sendingProject(world)
  const { id: template } = await createTemplate(ctx, content)
  const { id: campaign } = await createCampaign(ctx, { ...content, audienceType: 'ALL' })
  const workflow = await drawn(ctx)
  const { id: of } = await step(ctx, workflow)
  return { ctx, secret, ids: { Template: template, Campaign: campaign, Workflow: workflow.id, WorkflowStep: of } }
}

test.each(['Template', 'Campaign', 'Workflow', 'WorkflowStep'] as const)(
  'of two changes of a %s that was read once, the second fails with CONFLICT and changes nothing',
  async (type) => {
    const { secret, ids } = await made()
    const ask = asker(url, secret)
    const field = type === 'WorkflowStep' ? 'step' : type.toLowerCase()
    const change = async (input: object) => {
      const query = `mutation ($input: Update${type}Input!) { update${type}(input: $input) { ${field} { name updatedAt } } }`
      const { data, errors } = await ask<Record<string, Record<string, { name: string; updatedAt: string }>>>(query, {
        input: { id: ids[type], ...input },
      })
      return { found: data?.[`update${type}`]?.[field], error: errors[0] }
    }
    world.clock.turn(1_000)
    const { found: read } = await change({ name: 'Read' })
    world.clock.turn(1_000)
    const first = await change({ name: 'First', ifUpdatedAt: read?.updatedAt })
    expect([first.error, first.found?.name]).toEqual([undefined, 'First'])
    world.clock.turn(1_000)
    const second = await change({ name: 'Second', ifUpdatedAt: read?.updatedAt })
    expect(second.error).toMatchObject({
      message: `It has changed since it was read: at ${first.found?.updatedAt}.`,
      extensions: { code: 'CONFLICT', statusCode: 409 },
    })
    const again = await change({ ifUpdatedAt: first.found?.updatedAt })
    expect(again.found?.name).toBe('First')
  },
)

// Otherwise the second one would not be noticed by who has read the first.
test('two changes in one millisecond are two', async () => {
  const { ctx: running, ids } = await made()
  const now = running.clock.now()
  const ctx = { ...running, clock: { ...running.clock, now: () => now } }
  const { id: segment } = await createSegment(ctx, { name: 'A', type: 'STATIC' })
  const { Template: template, Campaign: campaign, Workflow: workflow, WorkflowStep: stepId } = ids
  const timeOf: [string, (name: string) => Promise<Date | undefined>][] = [
    ['segment', async (name) => (await updateSegment(ctx, { id: segment, name })).updatedAt],
    ['template', async (name) => (await updateTemplate(ctx, { id: template, name })).updatedAt],
    ['version', async () => (await restoreTemplateVersion(ctx, { id: template, no: 1 })).updatedAt],
    ['campaign', async (name) => (await updateCampaign(ctx, { id: campaign, name })).updatedAt],
    ['workflow', async (name) => (await updateWorkflow(ctx, { id: workflow, name })).updatedAt],
    [
      'step',
      async (name) => {
        await updateWorkflowStep(ctx, { stepId, name })
        return (await world.db.prisma.workflowStep.findFirstOrThrow({ where: { projectId: ctx.projectId, id: stepId } })).updatedAt
      },
    ],
  ]
  for (const [what, change] of timeOf) {
    const [first, second] = [await change('First'), await change('Second')]
    expect([what, second?.getTime()]).toEqual([what, Number(first?.getTime()) + 1])
  }
})
