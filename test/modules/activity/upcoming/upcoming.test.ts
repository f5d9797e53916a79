import { beforeEach, describe, expect, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { asker } from '../../../help/ask.ts'
import { drafted } from '../../../help/campaigns.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { sendingProject } from '../../../help/mails.ts'
import { fewestQueriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'

const { call, url, world } = await testServer()
const hourMs = 3_600_000
const dayMs = 24 * hourMs

let project: Awaited<ReturnType<typeof sendingProject>>
beforeEach(async () => {
  project = await sendingProject(world)
})

const get = async (query = '', key = project.secret) => (await call(`GET /activity/upcoming?${query}`, undefined, { key })).body
const ids = async (query = '') => (await get(query)).data.map(({ id }: { id: string }) => id)
const ahead = (ms: number): string => new Date(world.clock.now().getTime() + ms).toISOString()

/** Schedules a campaign. */
async function scheduled(ms: number, name = 'Spring news'): Promise<string> {
  const { id } = await drafted(project.ctx, { name })
  const { status } = await call(`POST /campaigns/${id}/send`, { scheduledFor: ahead(ms) }, { key: project.secret })
  expect(status).toBe(200)
  return id
}

/** Executions that wait for some days: before an email, before an exit, or for an event. */
async function waiting(kind: 'email' | 'exit' | 'event', days: number, emails = ['ada@example.com']) {
  const { ctx } = project
  const workflow = await drawn(ctx, { name: `Waits for ${kind}` })
  const wait =
    kind === 'event'
      ? await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', name: 'Until bought', config: { eventName: 'bought', timeout: days * 86_400 } })
      : await step(ctx, workflow, { type: 'DELAY', name: 'Some days', config: { amount: days, unit: 'days' } })
  const { id: templateId } = await createTemplate(ctx, { name: 'T', subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
  const next = await step(ctx, workflow, kind === 'email' ? { type: 'SEND_EMAIL', templateId } : {})
  await lead(ctx, workflow, wait, next, kind === 'event' ? 'timeout' : undefined)
  await enable(ctx, workflow)
  const started = []
  for (const email of emails) {
    const { id: contactId } = await upsertContact(ctx, { email })
    const { id } = await startWorkflowExecution(ctx, { id: workflow.id, contactId })
    started.push({ id, contactId })
  }
  await runAll(world)
  return { workflow, wait, started, first: started[0] ?? { id: '', contactId: '' } }
}

const Upcoming = graphql(`
  query Upcoming($limit: Int, $daysAhead: Int) {
    upcomingActivity(limit: $limit, daysAhead: $daysAhead) {
      id type timestamp
      campaign { id name }
      execution { id status workflow { name } currentStep { name } contact { email } }
      contact { email }
    }
  }
`)

describe('GET /activity/upcoming', () => {
  test('lists scheduled campaigns and executions that wait for a time, soonest first', async () => {
    const campaignId = await scheduled(dayMs * 2)
    const later = await waiting('exit', 3)
    const sooner = await waiting('email', 1)
    const last = await waiting('event', 4)
    const { activities, data } = await get()
    expect(activities).toEqual(data)
    expect(data).toEqual([
      {
        ...{ id: sooner.first.id, type: 'workflow.email.scheduled', timestamp: ahead(dayMs), contactId: sooner.first.contactId },
        contactEmail: 'ada@example.com',
        metadata: {
          ...{ executionId: sooner.first.id, workflowId: sooner.workflow.id, workflowName: 'Waits for email', status: 'WAITING' },
          ...{ stepId: sooner.wait.id, stepName: 'Some days', stepType: 'DELAY' },
        },
      },
      {
        ...{ id: campaignId, type: 'campaign.scheduled', timestamp: ahead(dayMs * 2) },
        metadata: { campaignId, campaignName: 'Spring news', subject: 'News for {{ name ?? "you" }}', audienceType: 'ALL' },
      },
      expect.objectContaining({ id: later.first.id, type: 'workflow.waiting', timestamp: ahead(dayMs * 3) }),
      expect.objectContaining({
        ...{ id: last.first.id, type: 'workflow.waiting' },
        metadata: expect.objectContaining({ stepType: 'WAIT_FOR_EVENT', eventName: 'bought' }),
      }),
    ])
  })

  test('leads to campaigns and executions in GraphQL, in as many statements for ten as for one', async () => {
    const ask = asker(url, project.secret)
    const campaignId = await scheduled(hourMs, 'Soon')
    const { started } = await waiting(
      'email',
      1,
      Array.from({ length: 9 }, (_, at) => `p${at}@example.com`),
    )
    const { data } = await ask(Upcoming)
    expect(data?.upcomingActivity).toHaveLength(10)
    expect(data?.upcomingActivity[0]).toEqual({
      ...{ id: campaignId, type: 'CAMPAIGN_SCHEDULED', timestamp: ahead(hourMs), campaign: { id: campaignId, name: 'Soon' } },
      ...{ execution: null, contact: null },
    })
    const found = data?.upcomingActivity.find(({ id }) => id === started[3]?.id)
    expect(found).toMatchObject({
      ...{ type: 'WORKFLOW_EMAIL_SCHEDULED', campaign: null, contact: { email: 'p3@example.com' } },
      execution: { id: started[3]?.id, status: 'WAITING', workflow: { name: 'Waits for email' }, currentStep: { name: 'Some days' } },
    })
    const queries = async (limit: number) => (await fewestQueriesOf(() => ask(Upcoming, { limit }), /campaign|workflow|contacts/)).queries
    expect(await queries(10)).toBeLessThanOrEqual(await queries(2))
  })

  test('looks ahead 30 days by default, and only as far as it is asked to', async () => {
    const [first, second] = [await scheduled(dayMs * 29), await scheduled(dayMs * 31)]
    const { first: third } = await waiting('exit', 40)
    expect([await ids(), await ids('daysAhead=31'), await ids('daysAhead=90')]).toEqual([
      [first],
      [first, second],
      [first, second, third.id],
    ])
    expect([await ids('daysAhead=90&limit=2'), await ids('daysAhead=28')]).toEqual([[first, second], []])
  })

  test('keeps a campaign that is late, and leaves out what was cancelled or is over', async () => {
    const [late, cancelled] = [await scheduled(hourMs), await scheduled(2 * hourMs)]
    const { first, workflow } = await waiting('exit', 1)
    await call(`POST /campaigns/${cancelled}/cancel`, {}, { key: project.secret })
    world.clock.turn(hourMs * 3)
    expect(await ids()).toEqual([late, first.id])
    await call(`DELETE /workflows/${workflow.id}/executions/${first.id}`, undefined, { key: project.secret })
    expect(await ids()).toEqual([late])
  })

  test('leaves out executions of deleted contacts, and everything of other projects', async () => {
    const { first } = await waiting('exit', 1)
    const { secret } = await sendingProject(world)
    expect([await ids(), (await get('', secret)).data]).toEqual([[first.id], []])
    await deleteContact(project.ctx, { id: first.contactId })
    expect(await ids()).toEqual([])
  })

  test.each(['limit=0', 'limit=101', 'limit=all', 'daysAhead=0', 'daysAhead=91'])('refuses ?%s with 400', async (query) => {
    expect((await get(query)).error.code).toBe('BAD_REQUEST')
  })

  test.each([
    ['daysAhead=1e9', '"daysAhead" must be a whole number from 1 to 90.'],
    ['limit=2.5', '"limit" must be a whole number from 1 to 100.'],
  ])('says of ?%s which numbers are taken', async (query, message) => {
    expect((await get(query)).error.message).toBe(message)
  })

  test('refuses wrong arguments in GraphQL, and costs what its limit says', async () => {
    const ask = asker(url, project.secret)
    expect((await ask(Upcoming, { daysAhead: 91 })).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'daysAhead' }],
    })
    const cost = async (limit?: number) => (await ask(Upcoming, { ...(limit && { limit }) })).extensions.cost?.requested
    expect([await cost(1), await cost(2), await cost()]).toEqual([7, 14, 350])
  })
})
