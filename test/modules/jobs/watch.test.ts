import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { startJobs } from '../../../src/modules/contacts/jobs.ts'
import { cancelJob } from '../../../src/modules/jobs/job.ts'
import { watchJob } from '../../../src/modules/jobs/watch.ts'
import { asker } from '../../help/ask.ts'
import { ended, queueImport } from '../../help/imports.ts'
import { bearer, connect, openStream, watching } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// Two processes: one answers, the other one works once a test starts it.
const { url, world } = await testServer()
const worker = await testWorld({ databaseUrl: world.databaseUrl })

const rows = (count: number) => `email,n\n${Array.from({ length: count }, (_, n) => `user${n}@example.com,${n}`).join('\n')}\n`
const subscription = (id: string) =>
  `subscription { jobProgress(id: "${id}") { id state progress kind failedReason importResult { createdCount errors { row } } bulkResult { totalRequested } } }`

async function states(ctx: Ctx, id: string, seen: string[] = []): Promise<string[]> {
  for await (const { state, progress } of await watchJob(ctx, { id })) seen.push(`${state} ${progress}`)
  return seen
}

describe('jobProgress', () => {
  test('begins with the job as it is, shows its progress from another process, and ends with its final state', async () => {
    const { ctx, secret } = await freshProject(world)
    const id = await queueImport(ctx, rows(5_000))
    const { client } = connect(url, bearer(secret))
    const items = client.iterate<{ jobProgress: { state: string; progress: number; importResult: object | null } }>({
      query: subscription(id),
    })
    const first = await items.next()
    expect(first.value?.data?.jobProgress).toMatchObject({
      id,
      state: 'WAITING',
      progress: 0,
      kind: 'IMPORT',
      importResult: null,
      bulkResult: null,
    })
    await startJobs(worker)
    const seen = await Array.fromAsync(items, ({ data }) => data?.jobProgress)
    expect(seen.at(-1)).toMatchObject({ state: 'COMPLETED', progress: 100, importResult: { createdCount: 5_000, errors: [] } })
    expect(seen.every((one, at) => at === 0 || (one?.progress ?? 0) >= (seen[at - 1]?.progress ?? 0))).toBe(true)
    expect(await watching(world)).toBe(0)
  })

  test('of a job that has ended is its final state alone, over event streams too', async () => {
    const { ctx, secret } = await freshProject(world)
    const id = await queueImport(ctx, rows(1))
    await ended(ctx, id)
    const stream = await openStream(url, subscription(id), { ...bearer(secret), accept: 'text/event-stream' })
    await stream.over
    expect(stream.text().match(/event: next/g)).toHaveLength(1)
    expect(stream.text()).toContain('"state":"COMPLETED"')
  })

  test('ends when the job is cancelled, and when it is removed', async () => {
    const idle = await testWorld()
    const there = await freshProject(idle)
    const id = await queueImport(there.ctx, rows(1))
    const [cancelled, gone]: [string[], string[]] = [[], []]
    const watched = states(there.ctx, id, cancelled)
    await until(async () => cancelled.length === 1)
    await cancelJob(there.ctx, { id })
    expect(await watched).toEqual(['waiting 0', 'cancelled 0'])
    const other = await queueImport(there.ctx, rows(1))
    const removed = states(there.ctx, other, gone)
    await until(async () => gone.length === 1)
    await idle.db.prisma.job.deleteMany({ where: { projectId: there.projectId } })
    expect(await removed).toEqual(['waiting 0'])
    await until(async () => (await watching(idle)) === 0)
  })

  test('misses no final state when the job ends while it begins', async () => {
    const { ctx } = await freshProject(world)
    const jobs = await Promise.all(Array.from({ length: 10 }, () => queueImport(ctx, rows(1))))
    const all = await Promise.all(jobs.map((id) => states(ctx, id)))
    expect(all.map((seen) => seen.at(-1))).toEqual(Array(10).fill('completed 100'))
  })

  test('of another project’s job is RESOURCE_NOT_FOUND, and leaves no subscriber', async () => {
    const { ctx } = await freshProject(world)
    const { secret } = await freshProject(world)
    const id = await queueImport(ctx, rows(1))
    const stream = await openStream(url, subscription(id), { ...bearer(secret), accept: 'text/event-stream' })
    await stream.over
    expect(stream.text()).toContain('RESOURCE_NOT_FOUND')
    expect(await watching(world)).toBe(0)
  })

  test('is given up at once, also while it waits', async () => {
    const idle = await testWorld()
    const { ctx } = await freshProject(idle)
    const jobs = await watchJob(ctx, { id: await queueImport(ctx, rows(1)) })
    await jobs.next()
    const waiting = jobs.next()
    await jobs.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(await watching(idle)).toBe(0)
  })
})

describe('in GraphQL', () => {
  test('the bulk mutations answer with their job; job and cancelJob find it, and no job of another project', async () => {
    const { ctx, secret } = await freshProject(world)
    await queueImport(ctx, rows(3))
    const stranger = await freshProject(world)
    const ask = asker(url, secret)
    const mutation = (name: string, input: string) =>
      ask<Record<string, { jobId: string; job: { kind: string } }>>(`mutation { ${name}(input: ${input}) { jobId job { kind } } }`)
    for (const name of ['bulkUnsubscribeContacts', 'bulkSubscribeContacts', 'bulkDeleteContacts']) {
      const { data, errors } = await mutation(name, '{ filter: { search: "user" }, excludedContactIds: ["x"] }')
      expect(errors).toEqual([])
      expect(data?.[name]).toMatchObject({ job: { kind: 'BULK' } })
      const id = data?.[name]?.jobId ?? ''
      await ended(ctx, id)
      const found = await ask<{ job: object; node: object }>(
        `{ job(id: "${id}") { state importResult { totalRows } bulkResult { operation totalRequested errors { error } } } node(id: "${id}") { id } }`,
      )
      expect(found.data).toMatchObject({
        job: { state: 'COMPLETED', importResult: null, bulkResult: { operation: name.replace(/^bulk|Contacts$/g, '').toUpperCase() } },
        node: { id },
      })
      expect((await ask(`mutation { cancelJob(input: { id: "${id}" }) { job { state } } }`)).errors[0]?.extensions.code).toBe('CONFLICT')
      const foreign = await asker(url, stranger.secret)(`{ job(id: "${id}") { state } }`)
      expect(foreign.errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
      expect(
        (await asker(url, stranger.secret)(`mutation { cancelJob(input: { id: "${id}" }) { job { state } } }`)).errors[0]?.extensions.code,
      ).toBe('RESOURCE_NOT_FOUND')
    }
    expect((await mutation('bulkDeleteContacts', '{}')).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'contactIds' }],
    })
  })
})
