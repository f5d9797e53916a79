import { describe, expect, test } from 'vitest'
import type { Statement } from '../../../../src/kit/postgres/db.ts'
import { changeContact } from '../../../../src/modules/contacts/change/sql.ts'
import {
  contactColumns,
  type GivenProperty,
  givenFields,
  type StandardField,
  standardFields,
} from '../../../../src/modules/contacts/fields/columns.ts'
import { importRows } from '../../../../src/modules/contacts/import/sql.ts'
import type { Contact } from '../../../../src/modules/contacts/shapes.ts'
import { writeContacts } from '../../../../src/modules/contacts/sql.ts'
import { operatorsOf } from '../../../../src/modules/filters/language.ts'
import { FieldFilter } from '../../../../src/modules/filters/shapes.ts'
import { asker } from '../../../help/ask.ts'
import { postCsv } from '../../../help/csv.ts'
import { ended } from '../../../help/imports.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer({ worker: true })
const columns = Object.entries(contactColumns)
const properties = Object.keys(contactColumns).join(' ')
const names = columns.map(([, { name }]) => name)
const given = columns.flatMap(([key, { name, setBy }]) => (setBy === 'caller' && key !== 'email' ? [name] : []))

/** Two values of everything that a caller sets of a contact beside its address. */
const values: { [Property in Exclude<GivenProperty, 'email'>]: [Contact[Property], Contact[Property]] } = {
  subscribed: [false, true],
  data: [{ plan: 'free' }, { plan: 'pro' }],
}
type Given = keyof typeof values
const nth = (n: 0 | 1) => Object.fromEntries(Object.entries(values).map(([key, pair]) => [key, pair[n]]))
const one = { email: 'ada@example.com', ...nth(0) }
const each = Object.keys(values) as Given[]

describe('the list of columns', () => {
  test('has every column of the table but those that no reader gets', async () => {
    const rows = await world.db.prisma.$queryRawUnsafe<{ name: string }[]>(
      `select attname as name from pg_attribute where attrelid = 'contacts'::regclass and attnum > 0 and not attisdropped`,
    )
    expect(rows.map(({ name }) => name).sort()).toEqual([...names, 'project_id', 'opted_out', 'deleted_at'].sort())
  })

  test.each<[string, Statement<unknown>]>([
    ['contacts of calls', writeContacts],
    ['rows of a file', importRows],
  ])('is what the statement for %s inserts, and it changes what callers set', (_what, { text }) => {
    const inserted = /insert into contacts as c \(([^)]*)\)/.exec(text)?.[1]?.split(', ')
    expect(inserted?.sort()).toEqual([...names, 'project_id', 'opted_out'].sort())
    const updated = /on conflict \(project_id, email\) do update set([^;]*?)\n\s*(where|returning) /.exec(text)?.[1] ?? ''
    expect([...given, 'updated_at'].filter((name) => !new RegExp(`\\b${name} = `).test(updated))).toEqual([])
    const compared = text.split('\n').find((line) => / as same,?$/.test(line)) ?? ''
    expect(given.filter((name) => !compared.includes(`c.${name}`))).toEqual([])
  })

  test('is what the change of a contact compares and sets', () => {
    const [compared = '', set = ''] = changeContact.text.split('update contacts c set')
    expect(given.filter((name) => !compared.includes(`c.${name}`) || !set.includes(`${name} = `))).toEqual([])
  })
})

describe('what a caller sets of a contact', () => {
  test('is stored by POST /contacts, changed by it and by PATCH, one by one, and answered by every reader', async () => {
    const { secret: key } = await freshProject(world)
    const { body: made } = await call('POST /contacts', one, { key })
    expect(made).toMatchObject(one)
    for (const property of each) {
      const [before, after] = values[property]
      const posted = await call('POST /contacts', { email: one.email, [property]: after }, { key })
      expect(posted.body).toMatchObject({ id: made.id, [property]: after })
      const patched = await call(`PATCH /contacts/${made.id}`, { [property]: before }, { key })
      expect(patched.body).toMatchObject(one)
    }
    const { body: contact } = await call(`GET /contacts/${made.id}`, undefined, { key })
    expect(Object.keys(contact)).toEqual(Object.keys(contactColumns))
    const { body: segment } = await call(
      'POST /segments',
      { name: 'All', condition: { field: 'email', operator: 'contains', value: '@' } },
      { key },
    )
    expect((await call('GET /contacts', undefined, { key })).body.data).toEqual([contact])
    expect((await call(`GET /segments/${segment.id}/contacts`, undefined, { key })).body.data).toEqual([contact])
    expect((await call(`GET /contacts/${made.id}/export`, undefined, { key })).body.contact).toEqual(contact)
  })

  test('is stored and answered by GraphQL', async () => {
    const { secret } = await freshProject(world)
    const ask = asker(url, secret)
    const upsert = `mutation ($input: UpsertContactInput!) { upsertContact(input: $input) { contact { ${properties} } } }`
    const update = `mutation ($input: UpdateContactInput!) { updateContact(input: $input) { contact { ${properties} } } }`
    const created = (await ask<{ upsertContact: { contact: Contact } }>(upsert, { input: one })).data?.upsertContact.contact
    expect(created).toMatchObject(one)
    for (const property of each) {
      const after = values[property][1]
      const { data } = await ask<{ updateContact: { contact: Contact } }>(update, { input: { id: created?.id, [property]: after } })
      expect(data?.updateContact.contact).toMatchObject({ id: created?.id, [property]: after })
    }
    const read = await ask<{ contact: Contact }>(`query ($id: ID!) { contact(id: $id) { ${properties} } }`, { id: created?.id })
    expect(read.data?.contact).toMatchObject({ ...created, ...nth(1), updatedAt: expect.any(String) })
  })

  test('is imported from its column, one by one, and exported to it', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const fields = givenFields.filter((field) => field !== 'email')
    const importing = async (csv: string) => ended(ctx, (await postCsv(url, key, csv)).body.jobId)
    const only = async () => (await call('GET /contacts', undefined, { key })).body.data[0]
    await importing(`email,${fields.join(',')},plan\n${[one.email, ...fields.map((field) => values[field][1]), 'pro'].join(',')}\n`)
    expect(await only()).toMatchObject(nth(1))
    for (const field of fields) {
      await importing(`email,${field.toUpperCase()}\n${one.email},${values[field][0]}\n`)
      expect(await only()).toMatchObject({ [field]: values[field][0], data: { plan: 'pro' } })
    }
    const { body } = await call('GET /contacts/export', undefined, { key })
    const [header, row] = body.split('\r\n')
    const contact = await only()
    const standard = Object.keys(standardFields)
    expect(header).toBe([...standard, 'plan'].join(','))
    expect(row).toBe([...standard.map((field) => contact[field]), 'pro'].join(','))
  })
})

describe('a standard field', () => {
  const fields = Object.keys(standardFields) as StandardField[]

  test.each(fields)('%s has operators in conditions, and their description names it', (field) => {
    expect(operatorsOf(field, 'audience').length).toBeGreaterThan(0)
    expect(FieldFilter.shape.field.description).toContain(`\`${field}\``)
  })

  test.each(fields)('%s is found by its value', async (field) => {
    const { secret: key } = await freshProject(world)
    const { body: contact } = await call('POST /contacts', one, { key })
    const condition = { field, operator: 'equals', value: contact[field] }
    expect((await call('POST /segments', { name: 'One', condition }, { key })).body.memberCount).toBe(1)
    expect(
      (await call('POST /segments', { name: 'None', condition: { ...condition, operator: 'notEquals' } }, { key })).body.memberCount,
    ).toBe(0)
  })
})
