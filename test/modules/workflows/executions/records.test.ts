import { expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { asker } from '../../../help/ask.ts'
import { queriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()
const count = 90

async function executionWithRecords() {
  const project = await freshProject(world)
  const { ctx, projectId, secret: key } = project
  const { id } = await drawn(ctx)
  await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
  await enable(ctx, { id })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const { body } = await call(`POST /workflows/${id}/executions`, { contactId }, { key })
  await world.db.prisma.$executeRawUnsafe(
    `insert into workflow_step_executions (project_id, execution_id, id, step_id, status, output, started_at, completed_at)
     select $1, $2, 'stx_' || lpad(n::text, 26, '0'), 'stp_gone', 'COMPLETED', jsonb_build_object('body', repeat('x', 60000)), now(), now()
     from generate_series(1, ${count}) n`,
    projectId,
    body.id,
  )
  return { executionId: body.id as string, key }
}

test('what steps did is read apart from them, and of very much the first 4 MB are answered', async () => {
  const { executionId, key } = await executionWithRecords()
  const ask = (field: string) =>
    asker(
      url,
      key,
    )<{ workflowExecution: { stepExecutions: { output: { body: string } | null }[] } }>(
      `{ workflowExecution(id: "${executionId}") { stepExecutions { ${field} } } }`,
    )
  const { reply, queries } = await queriesOf(() => ask('id email { id }'), /(in|out)put['"]/)
  expect([reply.errors, reply.data?.workflowExecution.stepExecutions.length, queries]).toEqual([[], count, 0])
  const { data, errors } = await ask('output')
  const fitting = Math.floor((4 * 1024 * 1024) / 60_012)
  const lengths = data?.workflowExecution.stepExecutions.map(({ output }) => output?.body.length ?? null)
  expect(lengths).toEqual([...Array(fitting).fill(60_000), ...Array(count - fitting).fill(null)])
  expect(errors).toHaveLength(count - fitting)
  expect(errors[0]).toMatchObject({ extensions: { code: 'PAYLOAD_TOO_LARGE' } })
})
