import { expect, test } from 'vitest'
import { dropContacts } from '../../../../src/modules/contacts/erasure/erase.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { asker } from '../../../help/ask.ts'
import { testServer } from '../../../help/server.ts'
import { until } from '../../../help/until.ts'
import { drawn, enable, lead, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer({ worker: true, running: true })

/** Two contacts that wait in a workflow after it has changed them; one of them has a past in it as well. */
async function waitingContacts() {
  const project = await freshProject(world)
  const { ctx, secret: key, projectId } = project
  const { id } = await drawn(ctx, { allowReentry: true, exitEvents: ['again'] })
  const mark = await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { updates: { marked: true } } })
  await lead(ctx, { id }, mark, await step(ctx, { id }, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } }))
  await enable(ctx, { id })
  const track = (email: string, event: string) =>
    trackEvent(ctx, { email, event, data: { secret: 'a flat in Rome' } } as unknown as Parameters<typeof trackEvent>[1])
  const waiting = () => world.db.prisma.workflowExecution.count({ where: { projectId, status: 'WAITING' } })
  await track('ada@example.com', 'signed-up')
  await until(async () => (await waiting()) === 1)
  await track('ada@example.com', 'again')
  await until(async () => (await waiting()) === 0)
  for (const name of ['ada', 'bob']) await track(`${name}@example.com`, 'signed-up')
  await until(async () => (await waiting()) === 2)
  const list = async () => (await call(`GET /workflows/${id}/executions`, undefined, { key })).body.data
  const { found } = (await list()).reduce(
    (all: { found: Record<string, string> }, one: { contactId: string; contact: { email: string } }) => {
      all.found[one.contact.email] = one.contactId
      return all
    },
    { found: {} },
  )
  const [ada = '', bob = ''] = ['ada@example.com', 'bob@example.com'].map((email) => found[email])
  const said = { projectId, execution: { contactId: ada }, output: { not: {} } }
  const emptied = async () => (await world.db.prisma.workflowStepExecution.count({ where: said })) === 0
  return { ...project, id, key, list, emptied, ada, bob }
}

const deletions = ['DELETE /contacts/:id', 'POST /contacts/bulk-delete'] as const
test.each(deletions)('executions of a contact stay after %s: cancelled, and without what they said about it', async (row) => {
  const { projectId, id, key, list, emptied, ada, bob } = await waitingContacts()
  if (row === 'DELETE /contacts/:id') await call(`DELETE /contacts/${ada}`, undefined, { key })
  else await call(row, { contactIds: [ada] }, { key })
  await until(emptied)
  await dropContacts(world, { projectId, contactIds: [ada] })

  expect((await list()).map((one: Record<string, unknown>) => [one.contactId, one.contact, one.status, one.exitReason])).toEqual([
    [bob, { id: bob, email: 'bob@example.com' }, 'WAITING', null],
    [ada, null, 'CANCELLED', 'Contact deleted'],
    [ada, null, 'EXITED', 'The event "again" happened.'],
  ])
  for (const { id: executionId, contactId } of await list()) {
    const { body } = await call(`GET /workflows/${id}/executions/${executionId}`, undefined, { key })
    const isGone = contactId === ada
    expect([JSON.stringify(body).includes('Rome'), body.context === null]).toEqual([!isGone, isGone])
    expect(body.stepExecutions.map(({ output }: { output: unknown }) => output !== null)).toEqual([!isGone, false])
  }
  const lines = await world.db.prisma.event.findMany({ where: { projectId, name: 'workflow.completed', contactId: null } })
  expect(lines).toMatchObject([{ data: { status: 'CANCELLED', reason: 'Contact deleted' } }])
})

test('GraphQL shows such an execution without its contact', async () => {
  const { id, key, ada, emptied, projectId } = await waitingContacts()
  await call(`DELETE /contacts/${ada}`, undefined, { key })
  await until(emptied)
  await dropContacts(world, { projectId, contactIds: [ada] })
  const query = `{ workflow(id: "${id}") { executions(filter: { statuses: [CANCELLED] }, first: 2) { nodes { contact { id } exitReason context stepExecutions { status output } } } } }`
  const { data, errors } = await asker(url, key)(query)
  expect(errors).toEqual([])
  expect(data).toEqual({
    workflow: {
      executions: {
        nodes: [
          {
            contact: null,
            exitReason: 'Contact deleted',
            context: null,
            stepExecutions: [
              { status: 'COMPLETED', output: null },
              { status: 'CANCELLED', output: null },
            ],
          },
        ],
      },
    },
  })
})
