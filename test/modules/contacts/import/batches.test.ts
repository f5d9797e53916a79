import { expect, test } from 'vitest'
import { rowsOf } from '../../../../src/kit/csv/csv.ts'
import { batchesOf, continueImport } from '../../../../src/modules/contacts/import/continue.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { getJob } from '../../../../src/modules/jobs/job.ts'
import { contactsOf, imported, queueImport } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)
const megabyte = 1024 * 1024

async function batchesIn(text: string, rowsBefore = 0) {
  const start = { offset: 0, lines: 0, rows: rowsBefore }
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

const oneTooMany = 'The row that begins on line 3 is one too many: a file has at most 1,000,000 rows'

test('a file has at most 1,000,000 rows, with those that have an error', async () => {
  expect(await batchesIn('x\nada@example.com\n', 999_998)).toHaveLength(1)
  await expect(batchesIn('x\nada@example.com\nx\n', 999_998)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: oneTooMany })
})

test('an import fails at the row that is one too many, also when other runs have read most of them; the rows before it stay', async () => {
  const withoutWorkers = await testWorld()
  const { ctx, projectId } = await freshProject(withoutWorkers)
  const id = await queueImport(ctx, 'email\nada@example.com\nbob@example.com\n')
  const counts = { successCount: 0, createdCount: 0, updatedCount: 0, failureCount: 999_999, errors: [], errorsOmitted: 999_999 }
  await withoutWorkers.db.prisma.job.update({
    where: { projectId_id: { projectId, id } },
    data: { result: { totalRows: 999_999, ...counts } },
  })
  await continueImport(withoutWorkers)
  expect(await getJob(ctx, { id })).toMatchObject({ state: 'failed', failedReason: `${oneTooMany}. The rows before it were imported.` })
  expect(Object.keys(await contactsOf(ctx))).toEqual(['ada@example.com'])
})
