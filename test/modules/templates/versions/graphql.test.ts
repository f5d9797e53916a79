import { expect, test } from 'vitest'
import { asker } from '../../../help/ask.ts'
import { sendingProject } from '../../../help/mails.ts'
import { queriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'

const { world, url, call } = await testServer({ running: true })
const { secret } = await sendingProject(world)
const ask = asker(url, secret)
const saying = (...content: unknown[]) => ({ type: 'doc', content: [{ type: 'paragraph', content }] })
const create = 'mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id mode body document } } }'
interface Shown {
  template: { id: string; body: string }
}
const draft = { subject: 'Hi', from: 'hello@demo.test' }

test('a visual template is made of a document, changed to HTML by REST, and restored', async () => {
  const document = saying({ type: 'variable', attrs: { path: 'name', fallback: 'there' } })
  const made = await ask<{ createTemplate: Shown }>(create, { input: { ...draft, document } })
  expect(made.data?.createTemplate.template).toMatchObject({
    mode: 'VISUAL',
    document,
    body: expect.stringContaining('{{ name ?? "there" }}'),
  })
  const { id = '', body: first } = made.data?.createTemplate.template ?? {}
  const { status, body } = await call(`PATCH /templates/${id}`, { body: '<p>Mine</p>' }, { key: secret })
  expect([status, body.body, 'mode' in body, 'document' in body]).toEqual([200, '<p>Mine</p>', false, false])
  const read = '{ mode versions { no mode body document actor { type userId email } } version(no: 1) { document } }'
  const shown = await ask(`query ($id: ID!) { template(id: $id) ${read} }`, { id })
  const key = { type: 'KEY', userId: null, email: null }
  expect(shown.data?.template).toEqual({
    mode: 'HTML',
    versions: [
      { no: 2, mode: 'HTML', body: '<p>Mine</p>', document: null, actor: key },
      { no: 1, mode: 'VISUAL', body: first, document, actor: key },
    ],
    version: { document },
  })
  const restore = `mutation ($input: RestoreTemplateVersionInput!) { restoreTemplateVersion(input: $input) { template ${read} } }`
  const restored = await ask<{ restoreTemplateVersion: Shown }>(restore, { input: { id, no: 1 } })
  expect(restored.data?.restoreTemplateVersion.template).toMatchObject({
    mode: 'VISUAL',
    versions: [{ no: 3, document }, { no: 2 }, { no: 1 }],
  })
  const preview = await ask<{ previewEmail: { text: string } }>(
    'query ($input: PreviewEmailInput!) { previewEmail(input: $input) { html text missing } }',
    {
      input: { document: saying({ type: 'text', text: '{{ 1 | plus: 1 }}' }), subject: 'x' },
    },
  )
  expect(preview.data?.previewEmail.text).toContain('{{ 1 | plus: 1 }}')
})

test.each<[string, object, string]>([
  ['neither body nor document', {}, 'input.document'],
  ['both', { body: 'x', document: saying() }, 'input.document'],
  [
    'a script for a link',
    { document: saying({ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: 'javascript:x()' } }] }) },
    'document.content',
  ],
  ['a node that is not known', { document: { type: 'doc', content: [{ type: 'iframe' }] } }, 'document.content'],
])('refuses %s with the field that is wrong', async (_what, part, field) => {
  const { errors } = await ask(create, { input: { ...draft, ...part } })
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ field: expect.stringContaining(field.replace('input.', '')) }],
  })
})

test('versions that are asked for by their numbers are read in one statement', async () => {
  const made = await ask<{ createTemplate: Shown }>(create, { input: { ...draft, body: 'x' } })
  const { id } = made.data?.createTemplate.template ?? {}
  const versions = Array.from({ length: 30 }, (_, at) => `v${at}: version(no: 1) { no }`).join(' ')
  const { reply, queries } = await queriesOf(
    () => ask(`query ($id: ID!) { template(id: $id) { ${versions} } }`, { id }),
    /template_versions/,
  )
  expect([reply.errors, reply.data]).toEqual([[], { template: expect.objectContaining({ v0: { no: 1 }, v29: { no: 1 } }) }])
  expect(queries).toBe(1)
})
