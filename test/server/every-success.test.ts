import { expect, test } from 'vitest'
import { isWriteRoute, readsBody } from '../../src/kit/route.ts'
import { routes } from '../../src/server/routes.ts'
import { freshFolder } from '../help/folder.ts'
import { type TestServer, testServer } from '../help/server.ts'
import { snsTwin } from '../help/sns.ts'
import { fakeStripe } from '../help/stripe.ts'
import { successes, successOf } from '../help/successes/calls.ts'
import { callerOf, type Given, given, pathOf } from '../help/successes/given.ts'

const [stripe, sns] = [await fakeStripe(), snsTwin()]
const env = { ...stripe.env, ...sns.env, DATA_DIR: await freshFolder() }
// Without a worker what is queued stays as it is: it can be read, paused and cancelled.
const idle = await testServer({ env })
const working = await testServer({ env, worker: true })
const byWorker = ['POST /auth/reset-password 200', 'POST /users/@me/projects/:id/reset 200']

const rows = routes.flatMap((route) => {
  const { status = 200 } = route.notes
  const all = typeof status === 'number' ? [status] : status.all
  return all.map((each) => [`${route.method} ${route.path} ${each}`, route, each] as const)
})

test('every row of the interface has a call in test/help/successes for each of its statuses', () => {
  expect(Object.keys(successes).sort()).toEqual(rows.map(([name]) => name).sort())
})

// What every call changes: the number of its requests.
const ofEveryCall = ['rate_windows']

/** What is in every table, as one number for each. */
async function contents({ world }: Pick<TestServer, 'world'>): Promise<Record<string, string>> {
  const tables = await world.db.prisma.$queryRawUnsafe<{ name: string }[]>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const names = tables.map(({ name }) => name).filter((name) => !ofEveryCall.includes(name))
  const sums = names.map((name) => `select '${name}' as name, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum from "${name}" t`)
  const rows = await world.db.prisma.$queryRawUnsafe<{ name: string; sum: string }[]>(sums.join(' union all '))
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

/** What is stored in place of secrets, or encrypted: nobody is ever shown it. */
async function hidden({ world }: Pick<TestServer, 'world'>): Promise<string[]> {
  const columns = await world.db.prisma.$queryRawUnsafe<{ table: string; column: string }[]>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name ~ '(^|_)(hash|sealed|private|secret)(_|$)'`,
  )
  expect(columns.length).toBeGreaterThan(3)
  const values = columns.map(({ table, column }) => `select "${column}"::text as value from "${table}"`)
  const rows = await world.db.prisma.$queryRawUnsafe<{ value: string | null }[]>(values.join(' union '))
  return rows.flatMap(({ value }) => (value !== null && value.length >= 20 ? [value.replace(/^\\x/, '')] : []))
}

// Rows of admins that write no line of what they change, with the reason.
const silent: Record<string, string> = {
  'POST /users/@me/projects/:id/billing-portal 200': 'changes nothing here',
  'POST /users/@me/projects/:id/checkout 200': 'the payment provider reports what was bought',
  'POST /users/@me/projects/:id/reset 202': 'a worker writes it once everything is gone',
  'DELETE /users/@me/projects/:id 204': 'the log is deleted with the project',
}

/** How many lines of changes of its settings, keys, members, domains and caps the log of a project has. */
const changesOf = ({ world, projectId }: Given) => world.db.prisma.event.count({ where: { projectId, name: 'project.changed' } })

test.each(rows)('%s', async (name, route, status) => {
  const server = byWorker.includes(name) ? working : idle
  const project = await given(server, { stripe, sns })
  const { params, query, body, as = callerOf(route, project) } = await successOf(name, project)
  const path = pathOf(route, project, params)
  const before = isWriteRoute(route) ? undefined : await contents(server)
  const changes = await changesOf(project)
  // So that a time that is stored again is another one.
  server.world.clock.turn(1_000)
  const headers = { ...as.headers, ...(route.notes.idempotent && { 'idempotency-key': 'once' }) }
  const ask = () =>
    server.call(`${route.method} ${path}${query ? `?${query}` : ''}`, readsBody(route) ? (body ?? {}) : undefined, { ...as, headers })
  const answer = await ask()
  expect([answer.status, answer.body?.error]).toEqual([status, undefined])
  const shown = JSON.stringify(answer.body ?? '')
  expect((await hidden(server)).filter((value) => shown.includes(value))).toEqual([])
  if (route.notes.idempotent) {
    const again = await ask()
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([answer.status, answer.body, 'true'])
  }
  // What reads may be called from anywhere, and in a suspended project: a GET that changes something says so (`changes`).
  if (before) expect(await contents(server)).toEqual(before)
  // What only admins may change is theirs to look up afterwards: its operation writes a line (`recordChange`).
  const expected = route.access.startsWith('admin') && isWriteRoute(route) && !(name in silent) ? 1 : 0
  if (route.access.startsWith('admin')) expect((await changesOf(project)) - changes, 'lines of changes').toBe(expected)
})
