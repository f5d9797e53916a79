import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import type { Executor } from '../../../../src/kit/postgres/db.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { checkImport } from '../../../../src/modules/contacts/import/import.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { imported } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld({ env: { DATABASE_POOL_SIZE: '10' } })
await startJobs(world)
const rows = (count: number) => ({
  bytes: Buffer.from(['email,n', ...Array.from({ length: count }, (_, at) => `u${at}@x.example,${at}`)].join('\n')),
})

/** A caller whose statements are counted while they run. */
function counting(ctx: Ctx, account: string, onRun: (change: 1 | -1) => void): Ctx {
  const run: Executor['run'] = async (statement, values) => {
    onRun(1)
    try {
      return await ctx.db.run(statement, values)
    } finally {
      onRun(-1)
    }
  }
  return { ...ctx, account, db: { ...ctx.db, run } }
}

describe('checkImport', () => {
  test('runs few statements at a time, one per account, however many files are checked', async () => {
    const running = new Map<string, number>()
    let [max, maxPerAccount] = [0, 0]
    const checks = Array.from({ length: 8 }, async (_, nth) => {
      const account = `usr_${nth % 4}`
      const ctx = counting((await freshProject(world)).ctx, account, (change) => {
        running.set(account, (running.get(account) ?? 0) + change)
        max = Math.max(
          max,
          [...running.values()].reduce((sum, one) => sum + one, 0),
        )
        maxPerAccount = Math.max(maxPerAccount, ...running.values())
      })
      return checkImport(ctx, { file: rows(5_000) })
    })
    for (const answer of await Promise.all(checks)) expect([answer.rows, answer.new]).toEqual([5_000, 5_000])
    expect([max <= 2 + 4, maxPerAccount]).toEqual([true, 1])
  })

  test('counts the rows that unsubscribe, whatever they say, and names the columns that are not imported', async () => {
    const { ctx } = await freshProject(world)
    const cells = ['y', 'no', '', 'TRUE', '1', 'subscribed'].map((cell, at) => `u${at}@x.example,${cell},1,2,3,4`)
    const file = { bytes: Buffer.from(['email,subscribed,id,unsubscribeUrl,createdAt,plan', ...cells].join('\n')) }
    expect(await checkImport(ctx, { file })).toMatchObject({
      rows: 6,
      unsubscribing: 3,
      ignoredColumns: ['id', 'unsubscribeUrl', 'createdAt'],
      fields: [{ name: 'plan' }],
    })
  })

  test('ends when its caller has left', async () => {
    let statements = 0
    const left = new AbortController()
    const ctx = counting((await freshProject(world)).ctx, 'usr_leaving', (change) => {
      if (change === 1 && ++statements === 3) left.abort()
    })
    const check = checkImport({ ...ctx, left: () => left.signal }, { file: rows(20_000) })
    await expect(check).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: 'The caller has left.' })
    expect(statements).toBeLessThan(6)
    await expect(checkImport({ ...ctx, left: () => left.signal }, { file: rows(1) })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect((await checkImport(ctx, { file: rows(1) })).rows).toBe(1)
  })

  test('says of an address that is twice in a file, and of one that exists, what the import would do', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'u0@x.example', data: { text: 'x'.repeat(120_000) } })
    const big = 'y'.repeat(20_000)
    const file = { bytes: Buffer.from(`email,more\nu1@x.example,1\nU1@x.example,2\nu0@x.example,${big}\nu2@x.example,${big}\n`) }
    const { fields: _, ...answer } = await checkImport(ctx, { file })
    expect(answer).toMatchObject({ rows: 4, new: 2, existing: 1, errors: [{ row: 4, email: 'u0@x.example' }], errorsOmitted: 0 })
  })

  test('adds up what the batches of a file give one contact, new or not, as the import does', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'old@x.example', data: { text: 'x'.repeat(90_000) } })
    const [big, small] = ['y'.repeat(100_000), 'z'.repeat(15_000)]
    const pads = Array.from({ length: 1_100 }, (_, at) => `u${at}@x.example`)
    const rows = [`new@x.example,${big}`, `old@x.example,${small}`, ...pads, `old@x.example,,${small}`, `new@x.example,,${big}`, ...pads]
    const lines = ['email,a,b,c', ...rows, `old@x.example,,,${small}`, 'new@x.example,,,1']
    const { errors } = await checkImport(ctx, { file: { bytes: Buffer.from(lines.join('\n')) } })
    expect(errors.map(({ row, email }) => [row, email])).toEqual([
      [1_105, 'new@x.example'],
      [2_206, 'old@x.example'],
    ])
    expect((await imported(ctx, lines.join('\n'))).result.errors).toEqual(errors)
  })

  test('does not see what a row gave a contact once rows of more than 10,000 other contacts, or of more than 2 MB, have followed', async () => {
    const { ctx } = await freshProject(world)
    const big = 'y'.repeat(100_000)
    const errorsAfter = async (others: string[]) => {
      const lines = ['email,a,b', `ada@x.example,${big}`, ...others, `ada@x.example,,${big}`]
      return (await checkImport(ctx, { file: { bytes: Buffer.from(lines.join('\n')) } })).errors.length
    }
    const small = (count: number) => Array.from({ length: count }, (_, at) => `u${at}@x.example,1`)
    const wide = (count: number) => Array.from({ length: count }, (_, at) => `u${at}@x.example,${big}`)
    expect([await errorsAfter(small(9_900)), await errorsAfter(small(12_000))]).toEqual([1, 0])
    expect([await errorsAfter(wide(18)), await errorsAfter(wide(23))]).toEqual([1, 0])
  })
})
