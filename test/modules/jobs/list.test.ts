import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { bulkSubscribeContacts } from '../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../src/modules/contacts/bulk/continue.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { continueImport } from '../../../src/modules/contacts/import/continue.ts'
import { cancelJob } from '../../../src/modules/jobs/job.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { queueImport } from '../../help/imports.ts'
import { queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// Without a worker: every job waits until it is cancelled.
const { url, world } = await testServer()

const JobsQuery = graphql(`
  query Jobs($first: Int, $after: String, $last: Int, $before: String, $filter: JobFilter) {
    jobs(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage endCursor startCursor }
      nodes { id kind state progress importResult { totalRows } bulkResult { totalRequested } }
    }
  }
`)

const WorkOfJobs = graphql(`query WorkOfJobs { jobs { nodes { operation done total } } }`)
const queueBulk = async (ctx: Ctx) => (await bulkSubscribeContacts(ctx, { filter: {} })).jobId
const rows = 'email\nada@example.com\n'

describe('jobs', () => {
  test('are those of the project, newest first, filtered by what they do and how far they are', async () => {
    const [{ ctx, secret }, other] = [await freshProject(world), await freshProject(world)]
    const ids = [await queueImport(ctx, rows), await queueBulk(ctx), await queueImport(ctx, rows)]
    await queueImport(other.ctx, rows)
    await cancelJob(ctx, { id: ids[0] ?? '' })
    const ask = asker(url, secret)
    const found = async (filter?: object) => {
      const { data, errors } = await ask(JobsQuery, { filter: filter as never })
      expect(errors).toEqual([])
      return [data?.jobs.totalCount, ...(data?.jobs.nodes ?? []).map(({ id, kind, state }) => [ids.indexOf(id), kind, state])]
    }
    const [first, second, third] = [
      [0, 'IMPORT', 'CANCELLED'],
      [1, 'BULK', 'WAITING'],
      [2, 'IMPORT', 'WAITING'],
    ]
    expect(await found()).toEqual([3, third, second, first])
    expect(await found({ kinds: ['IMPORT'] })).toEqual([2, third, first])
    expect(await found({ states: ['WAITING'] })).toEqual([2, third, second])
    expect(await found({ kinds: ['BULK'], states: ['CANCELLED'] })).toEqual([0])
    expect(await found({ kinds: ['BULK', 'IMPORT'], states: ['CANCELLED', 'WAITING'] })).toEqual([3, third, second, first])
  })

  test('come in pages by cursor in both directions, which a job that is added meanwhile does not move', async () => {
    const { ctx, secret } = await freshProject(world)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift(await queueBulk(ctx))
    const page = async (args: object) => {
      const { data, errors } = await asker(url, secret)(JobsQuery, args)
      expect(errors).toEqual([])
      return { ids: data?.jobs.nodes.map(({ id }) => ids.indexOf(id)), ...data?.jobs.pageInfo }
    }
    const first = await page({ first: 2 })
    expect(first).toMatchObject({ ids: [0, 1], hasNextPage: true })
    await queueBulk(ctx)
    const second = await page({ first: 2, after: first.endCursor })
    expect(second).toMatchObject({ ids: [2, 3], hasNextPage: true, hasPreviousPage: true })
    expect(await page({ first: 2, after: second.endCursor })).toMatchObject({ ids: [4], hasNextPage: false })
    expect(await page({ last: 2, before: second.startCursor })).toMatchObject({ ids: [0, 1], hasPreviousPage: true })
  })

  test('say what they do and how much of it is done, before and after they ended, in one statement', async () => {
    const { ctx, secret } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com' })
    await upsertContact(ctx, { email: 'bob@example.com' })
    await queueBulk(ctx)
    await queueImport(ctx, rows)
    const ask = asker(url, secret)
    const work = async () => {
      const { reply, queries } = await queriesOf(() => ask(WorkOfJobs), /jobs_select_work|from jobs j where/)
      expect(reply.errors).toEqual([])
      expect(queries).toBe(1)
      return reply.data?.jobs.nodes.map(({ operation, done, total }) => [operation, done, total])
    }
    expect(await work()).toEqual([
      [null, 0, null],
      ['SUBSCRIBE', 0, null],
    ])
    // Those of the tests before go first.
    for (const next of [continueBulk, continueImport]) for (let times = 0; times < 20; times++) await next(world)
    expect(await work()).toEqual([
      [null, expect.any(Number), expect.any(Number)],
      ['SUBSCRIBE', 2, 2],
    ])
  })

  test('a cursor of another list and a state that is none are refused', async () => {
    const { secret } = await freshProject(world)
    const ask = asker(url, secret)
    const after = Buffer.from('["cnt_01m7y3mwcpfqhrhzca2e1aqg79"]').toString('base64url')
    expect((await ask(JobsQuery, { after })).errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }])
    expect((await ask(JobsQuery, { first: 101 })).errors).toMatchObject([{ extensions: { code: 'VALIDATION_ERROR' } }])
    expect((await ask(JobsQuery, { filter: { states: ['ASLEEP'] as never } })).errors).toHaveLength(1)
  })
})
