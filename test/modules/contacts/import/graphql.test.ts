import { describe, expect, test } from 'vitest'
import { continueImport } from '../../../../src/modules/contacts/import/continue.ts'
import { asker } from '../../../help/ask.ts'
import { postCsv } from '../../../help/csv.ts'
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

describe('two rows of one contact with values of different types', () => {
  const csv = 'email,seats,born\nada@example.com,3,\nADA@example.com,many,2001-01-01\n'
  const types = [
    { field: 'data.seats', type: 'number' },
    { field: 'data.born', type: 'date' },
  ]

  test.each<[string, (key: string) => Promise<unknown>]>([
    ['REST', (key) => postCsv(url, key, csv)],
    ['GraphQL', (key) => asker(url, key)(run, { content: base64(csv) })],
  ])('give a new field the type of the first value, and the contact the last one, in %s', async (_how, send) => {
    const { secret: key } = await freshProject(world)
    await send(key)
    await continueImport(world)
    const { body } = await call('GET /contacts', undefined, { key })
    expect(body.data).toMatchObject([{ email: 'ada@example.com', data: { seats: 'many', born: '2001-01-01' } }])
    expect((await call('GET /contacts/fields', undefined, { key })).body.fields).toMatchObject(
      expect.arrayContaining(types.map((type) => expect.objectContaining(type))),
    )
  })

  test('are previewed with that type in both', async () => {
    const { secret: key } = await freshProject(world)
    const { body } = await postCsv(url, key, csv, '?dryRun=true')
    expect(body.fields).toEqual([
      { name: 'seats', type: 'number', isNew: true },
      { name: 'born', type: 'date', isNew: true },
    ])
    expect((await asker(url, key)(check, { content: base64(csv) })).data?.checkImport.fields).toEqual([
      { name: 'seats', type: 'NUMBER', isNew: true },
      { name: 'born', type: 'DATE', isNew: true },
    ])
  })
})

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
