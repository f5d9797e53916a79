import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { columnsOf } from '../../../../src/modules/contacts/csv/columns.ts'
import { checkImport } from '../../../../src/modules/contacts/import/import.ts'
import { isRefused, readRow } from '../../../../src/modules/contacts/import/rows.ts'
import { writeRows } from '../../../../src/modules/contacts/import/write.ts'
import { contactsOf } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()

const big = 'x'.repeat(100_000)
const noRoom = 'The contact has no room for the data: it holds at most 500 keys and 128 KB as JSON.'
const fieldTypes = async ({ db, projectId }: Ctx) =>
  Object.fromEntries((await db.prisma.contactField.findMany({ where: { projectId } })).map(({ key, type }) => [key, type]))

/** What a dry run says of a file, and its import in one chunk: the rows with an error, and the types of its fields. */
async function both(ctx: Ctx, lines: string[]) {
  const { projectId } = ctx
  const preview = await checkImport(ctx, { file: { bytes: Buffer.from(lines.join('\n')) } })
  const [header = [], ...cells] = lines.map((line) => line.split(','))
  const columns = columnsOf(header)
  const rows = cells.map((row, at) => readRow({ cells: row, line: at + 2, end: { offset: 0, lines: 0 } }, columns))
  const chunk = { projectId, rows: rows.flatMap((row) => (isRefused(row) ? [] : [row])), unwilling: new Set<string>() }
  const { errors } = await world.db.transaction((tx) => writeRows(tx, world, chunk))
  return {
    preview: { errors: preview.errors, types: Object.fromEntries(preview.fields.map(({ name, type }) => [name, type])) },
    result: { errors: errors.sort((one, other) => one.row - other.row), types: await fieldTypes(ctx) },
  }
}

describe('a row for which its contact has no room', () => {
  test('creates no fields, and the type of a field is not that of its value', async () => {
    const { ctx } = await freshProject(world)
    const rows = [`ada@example.com,${big},,only`, 'bob@example.com,1,,', `ada@example.com,,${big},`]
    const { preview, result } = await both(ctx, ['email,a,b,c', ...rows])
    expect(result).toEqual({ errors: [2, 4].map((row) => ({ row, email: 'ada@example.com', error: noRoom })), types: { a: 'number' } })
    expect(preview).toEqual(result)
    expect(await contactsOf(ctx)).toEqual({ 'bob@example.com': { subscribed: true, data: { a: 1 } } })
  })

  test('takes none of the 2,000 fields of a project, also when many rows have one each', async () => {
    const { ctx } = await freshProject(world)
    for (let part = 0; part < 4; part++)
      await upsertContact(ctx, {
        email: `part${part}@example.com`,
        data: Object.fromEntries(Array.from({ length: part === 3 ? 499 : 500 }, (_, at) => [`k${part}_${at}`, at])),
      })
    const full = Array.from({ length: 20 }, (_, at) => `full${at}@example.com`)
    for (const email of full) await upsertContact(ctx, { email, data: { k0_0: big } })
    const columns = full.map((_, at) => `new${at}`)
    const rows = full.map((email, at) => `${email},,,${','.repeat(at)}${'y'.repeat(40_000)}`)
    const lines = [`email,last,more,${columns}`, ...rows, 'ada@example.com,1', 'bob@example.com,,1', 'bob@example.com,2']
    const { preview, result } = await both(ctx, lines)
    expect(result.errors.map(({ row, error }) => [row, error === noRoom])).toEqual([
      ...full.map((_, at) => [at + 2, true]),
      [23, false],
      [24, false],
    ])
    expect(preview.errors).toEqual(result.errors)
    expect(Object.keys(result.types)).toHaveLength(2_000)
    expect([preview.types, result.types.last]).toEqual([{ last: 'number' }, 'number'])
  })
})

test('a new field has the type of its first value in the file, whatever rows their contacts have before it', async () => {
  const { ctx } = await freshProject(world)
  const rows = ['ada@example.com,A,,', 'bob@example.com,B,high,', 'ada@example.com,A2,true,', 'bob@example.com,,,2001-01-01']
  const { preview, result } = await both(ctx, ['email,name,score,born', ...rows, 'ada@example.com,,,soon'])
  expect(result).toEqual({ errors: [], types: { name: 'string', score: 'string', born: 'date' } })
  expect(preview).toEqual(result)
  expect(await contactsOf(ctx)).toMatchObject({ 'ada@example.com': { data: { score: true, born: 'soon' } } })
})

test('a new field does not have the type of a value that is refused, although it stands first', async () => {
  const { ctx } = await freshProject(world)
  const rows = ['ada@example.com,A,', `bob@example.com,${big},high`, 'ada@example.com,,true', `bob@example.com,,,${big}`]
  const { preview, result } = await both(ctx, ['email,name,score,more', ...rows])
  expect([result.errors.map(({ row }) => row), result.types]).toEqual([[3, 5], { name: 'string', score: 'boolean' }])
  expect(preview).toEqual(result)
})
