import { expect, test } from 'vitest'
import { rowsOf } from '../../../../src/kit/csv/csv.ts'
import { batchesOf } from '../../../../src/modules/contacts/import/continue.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { contactsOf, imported } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)
const megabyte = 1024 * 1024

async function batchesIn(text: string) {
  const start = { offset: 0, lines: 0 }
  return Array.fromAsync(batchesOf(rowsOf([Buffer.from(text)], ','), { email: 0, subscribed: null, fields: [] }, start))
}

test('a batch ends also where there are only blank lines, so that an import records how far it has come', async () => {
  const batches = await batchesIn(`${'\n'.repeat(megabyte)}ada@example.com\n`)
  const empty = batches.slice(0, -1)
  expect(empty.length).toBeGreaterThanOrEqual(3)
  let before = 0
  for (const { batch, last } of empty) {
    expect([batch.rows, batch.errors, last]).toEqual([[], [], false])
    expect(batch.end.offset - before).toBeLessThan(megabyte / 2)
    expect(batch.end).toEqual({ offset: batch.end.lines, lines: batch.end.offset })
    before = batch.end.offset
  }
  expect(batches.at(-1)).toMatchObject({ last: true, batch: { rows: [{ email: 'ada@example.com', line: megabyte + 1 }] } })
})

test('a batch has at most 1,000 rows, with those that have an error', async () => {
  const batches = await batchesIn(Array.from({ length: 2_500 }, (_, n) => (n % 2 === 0 ? 'x\n' : `${n}@x.io\n`)).join(''))
  expect(batches.map(({ batch: { rows, errors } }) => rows.length + errors.length)).toEqual([1_000, 1_000, 500])
})

test('an import goes on behind blank lines, and counts its lines right', async () => {
  const { ctx } = await freshProject(world)
  const job = await imported(ctx, `email\nada@example.com\n${'\r\n'.repeat(megabyte / 2)}nobody\nbob@example.com\n`)
  expect(job).toMatchObject({ state: 'completed', progress: 100 })
  expect(job.result).toMatchObject({ totalRows: 3, createdCount: 2, errors: [{ row: megabyte / 2 + 3, email: 'nobody' }] })
  expect(Object.keys(await contactsOf(ctx))).toEqual(['ada@example.com', 'bob@example.com'])
})
