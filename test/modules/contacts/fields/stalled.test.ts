import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import type { Database, Executor, Statement } from '../../../../src/kit/postgres/db.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../../src/modules/contacts/fields/delete.ts'
import { listFields } from '../../../../src/modules/contacts/fields/fields.ts'
import { findRemoved } from '../../../../src/modules/filters/removals/sql.ts'
import { holder } from '../../../help/holder.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })

/** A call that stands still before it asks the database for the n-th time, until it is released. */
function standingStill({ ...ctx }: Ctx, n: number, released: Promise<void>) {
  const { promise: stands, resolve: stand } = Promise.withResolvers<void>()
  let asked = 0
  const standing = ({ run }: Executor): Executor => ({
    async run(statement, values) {
      if (++asked === n) {
        stand()
        await released
      }
      return run(statement, values)
    },
  })
  const slow = (db: Database): Database => ({ ...db, ...standing(db), lists: standing(db.lists), lasting: () => slow(db.lasting()) })
  return { stands, ctx: { ...ctx, db: slow(ctx.db) } }
}

const isCustom = ({ isCustom }: { isCustom: boolean }) => isCustom
const dataOf = async (projectId: string) => (await world.db.prisma.contact.findMany({ where: { projectId } })).map(({ data }) => data)

test('a call that stands still while another process removes the field removes nothing that is written after that', async () => {
  let stood = 0
  // Before its first look the call has not begun.
  for (let n = 2, more = true; more; n++) {
    const { ctx, projectId } = await freshProject(world)
    const contacts = ['ada@example.com', 'bob@example.com']
    for (const email of contacts) await upsertContact(ctx, { email, data: { plan: 'pro' } })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const late = standingStill(ctx, n, released)
    const removing = deleteField(late.ctx, { field: 'plan' })
    more = await Promise.race([late.stands.then(() => true), removing.then(() => false)])
    if (!more) break
    stood++
    await deleteField({ ...ctx, world: other, db: other.db }, { field: 'plan' })
    for (const email of contacts) await upsertContact(ctx, { email, data: { plan: 'new' } })
    const removed = await world.db.run(findRemoved, [projectId, ['data.plan']])
    release()
    await removing
    expect(await dataOf(projectId)).toEqual([{ plan: 'new' }, { plan: 'new' }])
    expect((await listFields(ctx)).fields.filter(isCustom)).toMatchObject([{ field: 'data.plan' }])
    expect(await world.db.run(findRemoved, [projectId, ['data.plan']])).toEqual(removed)
  }
  expect(stood).toBeGreaterThan(8)
})

test('a contact that is changed while its field is being removed loses it as well', async () => {
  const { ctx, projectId } = await freshProject(world)
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  const changing = await holder(world)
  await changing.run(`update contacts set data = data || '{"seats": 1}' where project_id = $1`, [projectId])
  const removing = deleteField(ctx, { field: 'plan' })
  await changing.waitedFor()
  await changing.commit()
  expect(await removing).toEqual({ deletedFrom: 1 })
  expect(await dataOf(projectId)).toEqual([{ seats: 1 }])
})

test('contacts that are changed again and again do not keep the removal from its end', async () => {
  const { ctx, projectId } = await freshProject(world)
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  let ran = 0
  const run: Executor['run'] = async <Row>(statement: Statement<Row>, values: readonly unknown[]) => {
    const rows = await ctx.db.lists.run(statement, values)
    const isThere = values.at(-1) !== null
    if (isThere) ran++
    return isThere ? rows.map((row) => ({ ...row, changed: 1 })) : rows
  }
  const db = { ...ctx.db, lists: { run } }
  expect(await deleteField({ ...ctx, db: { ...db, lasting: () => db } }, { field: 'plan' })).toEqual({ deletedFrom: 1 })
  expect(ran).toBeLessThan(10)
  expect(await dataOf(projectId)).toEqual([{}])
  expect((await listFields(ctx)).fields.filter(isCustom)).toEqual([])
})
