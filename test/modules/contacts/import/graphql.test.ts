import { describe, expect, test } from 'vitest'
import { continueImport } from '../../../../src/modules/contacts/import/continue.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/index.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()
const check = graphql(`
  query CheckImport($content: String!) {
    checkImport(content: $content) { rows new existing fields { name type isNew } errors { row email error } errorsOmitted }
  }
`)
const run = graphql(
  `mutation ImportContacts($content: String!) { importContacts(input: { content: $content }) { jobId job { id kind state } } }`,
)
const result = graphql(
  `query ImportResult($id: ID!) { job(id: $id) { state importResult { totalRows createdCount updatedCount failureCount } } }`,
)
const suppress = graphql(`
  mutation ImportSuppressions($input: ImportSuppressionsInput!) {
    importSuppressions(input: $input) { added alreadyThere errors { row email error } errorsOmitted }
  }
`)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function projectWithAda() {
  const project = await freshProject(world)
  await call('POST /contacts', { email: 'ada@example.com', data: { plan: 'free' } }, { key: project.secret })
  return { ...project, ask: asker(url, project.secret) }
}

describe('a file of contacts in base64', () => {
  const content = base64('email,plan,seats\nada@example.com,pro,3\nbob@example.com,free,\nnobody,free,1\n')

  test('is checked as in REST, and changes nothing', async () => {
    const { ask } = await projectWithAda()
    expect((await ask(check, { content })).data?.checkImport).toEqual({
      rows: 3,
      new: 1,
      existing: 1,
      fields: [
        { name: 'plan', type: 'STRING', isNew: false },
        { name: 'seats', type: 'NUMBER', isNew: true },
      ],
      errors: [{ row: 4, email: 'nobody', error: expect.any(String) }],
      errorsOmitted: 0,
    })
    expect((await ask('{ contacts { totalCount } }')).data).toEqual({ contacts: { totalCount: 1 } })
  })

  test('is imported by a job', async () => {
    const { ask } = await projectWithAda()
    const { data } = await ask(run, { content })
    const id = data?.importContacts.jobId ?? ''
    expect(data?.importContacts.job).toEqual({ id, kind: 'IMPORT', state: 'WAITING' })
    await continueImport(world)
    expect((await ask(result, { id })).data?.job).toEqual({
      state: 'COMPLETED',
      importResult: { totalRows: 3, createdCount: 1, updatedCount: 1, failureCount: 1 },
    })
  })

  test('is refused when it is too large, cannot be read, or is not base64', async () => {
    const { ask } = await projectWithAda()
    const code = async (sent: string) => (await ask(run, { content: sent })).errors[0]?.extensions.code
    expect(await code(base64(`email\n${'x'.repeat(5 * 1024 * 1024)}`))).toBe('PAYLOAD_TOO_LARGE')
    expect(await code(base64('name\nAda\n'))).toBe('VALIDATION_ERROR')
    expect(await code('email')).toBe('VALIDATION_ERROR')
    expect((await ask(check, { content: base64('') })).errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
  })
})

test('a file of suppressions in base64 is put on the list, with a reason for rows that have none', async () => {
  const { ask, secret: key } = await projectWithAda()
  const content = base64('email,reason\nada@example.com,\nbob@example.com,COMPLAINT\nnobody,\n')
  expect((await ask(suppress, { input: { content, reason: 'UNSUBSCRIBED' } })).data?.importSuppressions).toEqual({
    added: 2,
    alreadyThere: 0,
    errors: [{ row: 4, email: 'nobody', error: 'This is not an email address.' }],
    errorsOmitted: 0,
  })
  const { body } = await call('GET /suppressions', undefined, { key })
  expect(body.data.map(({ email, reason }: { email: string; reason: string }) => [email, reason])).toEqual([
    ['ada@example.com', 'UNSUBSCRIBED'],
    ['bob@example.com', 'COMPLAINT'],
  ])
  const large = await ask(suppress, { input: { content: base64(`email\n${'x'.repeat(5 * 1024 * 1024)}`) } })
  expect(large.errors[0]?.extensions.code).toBe('PAYLOAD_TOO_LARGE')
})
