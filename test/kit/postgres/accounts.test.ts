import { expect, test } from 'vitest'
import { type Ctx, callIn } from '../../../src/kit/context.ts'
import { type Database, statement } from '../../../src/kit/postgres/db.ts'
import { countContacts } from '../../../src/modules/contacts/contacts.ts'
import { listFields } from '../../../src/modules/contacts/fields/fields.ts'
import { listFieldValues } from '../../../src/modules/contacts/fields/values.ts'
import { getExecutionCounts } from '../../../src/modules/workflows/executions/counts/counts.ts'
import { connectExecutions } from '../../../src/modules/workflows/executions/lists/lists.ts'
import { holder } from '../../help/holder.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const quick = statement<{ one: number }>('', 'select 1 as one where $1::text is not null', { allProjects: 'reads no table' })

interface Counting {
  pool: 'scans' | 'lists'
  table: string
  ask(ctx: Ctx): Promise<unknown>
}

const kinds: Record<string, Counting> = {
  'the values of a field': { pool: 'scans', table: 'contacts', ask: (ctx) => listFieldValues(ctx, { field: 'data.plan', limit: 100 }) },
  'the coverage of fields': { pool: 'scans', table: 'contacts', ask: (ctx) => listFields(ctx) },
  'the size of a filtered list': { pool: 'lists', table: 'contacts', ask: (ctx) => countContacts(ctx, { search: 'x' }) },
  'the executions of a workflow': {
    pool: 'lists',
    table: 'workflow_executions',
    ask: async (ctx) => (await connectExecutions(ctx, { workflowId: 'wfl_none' }, { first: 1 }, {})).totalCount,
  },
  'the states of executions': {
    pool: 'lists',
    table: 'workflow_executions',
    ask: (ctx) => getExecutionCounts(ctx, { id: 'wfl_none' }),
  },
}
const namedKinds = Object.entries(kinds)

/** The calls of as many projects of one account as are given, which wait for a table, and what ends them. */
async function waiting({ table, ask }: Counting, projects: number, left?: () => AbortSignal) {
  const held = await holder(world)
  const ctxs = await Promise.all(Array.from({ length: projects }, async () => (await freshProject(world)).projectId))
  await held.run(`lock table ${table} in access exclusive mode`)
  const calls = ctxs.map(async (projectId) => {
    const ctx = callIn(world, { projectId, account: 'usr_busy' })
    return ask({ ...ctx, db: world.db.of('usr_busy', left) })
  })
  const settled = Promise.allSettled(calls)
  await held.waitedFor()
  return { held, settled }
}

const asks = (db: Database, pool: Counting['pool']) => db[pool].run(quick, ['prj_other'])

test.each(namedKinds)('an account that counts %s of all its projects leaves turns to others', async (_name, kind) => {
  const { held, settled } = await waiting(kind, 10)
  for (let call = 0; call < 5; call++) expect(await asks(world.db.of('usr_other'), kind.pool)).toEqual([{ one: 1 }])
  await held.commit()
  expect((await settled).map(({ status }) => status)).toEqual(Array(10).fill('fulfilled'))
})

test.each(namedKinds)('who has left while %s are counted takes no turn any more', async (_name, kind) => {
  const caller = new AbortController()
  const { held, settled } = await waiting(kind, 10, () => caller.signal)
  caller.abort()
  // They have all been answered but those that are being counted, while these still are.
  const next = asks(world.db.of('usr_busy'), kind.pool)
  await held.commit()
  expect(await next).toEqual([{ one: 1 }])
  const given = (await settled).filter((one) => one.status === 'rejected' && one.reason.code === 'SERVICE_UNAVAILABLE')
  expect(given.length).toBeGreaterThanOrEqual(7)
})
