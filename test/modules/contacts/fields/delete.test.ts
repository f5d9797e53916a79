import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../../src/modules/contacts/fields/delete.ts'
import { listFields } from '../../../../src/modules/contacts/fields/fields.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { holder } from '../../../help/holder.ts'
import { runsOf } from '../../../help/runs.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, url, world } = await testServer()
// One batch, and one that finds no more contacts.
const removal = ['lists contacts_remove_key', 'lists contacts_remove_key']

async function counted(projectId: string) {
  const counts = await world.db.prisma.contactFieldCount.findUnique({ where: { projectId } })
  return [counts?.fields, counts?.publicFields]
}

async function dataOf(projectId: string) {
  const contacts = await world.db.prisma.contact.findMany({ where: { projectId }, orderBy: { email: 'asc' } })
  return contacts.map(({ data }) => data)
}

describe('DELETE /contacts/fields/:field', () => {
  test('200 removes the field from every contact and forgets its type, by either spelling', async () => {
    const { ctx, projectId, secret } = await freshProject(world)
    await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro', seats: 1, score: 1 } })
    await upsertContact(ctx, { email: 'b@example.com', data: { plan: 'basic' } })
    await upsertContact(ctx, { email: 'c@example.com', data: { seats: 2 } })
    const remove = (field: string) => call(`DELETE /contacts/fields/${field}`, undefined, { key: secret })
    expect(await remove('data.plan')).toMatchObject({ status: 200, body: { deletedFrom: 2 } })
    expect(await dataOf(projectId)).toEqual([{ seats: 1, score: 1 }, {}, { seats: 2 }])
    expect(await counted(projectId)).toEqual([2, 0])
    expect((await remove('score')).body).toEqual({ deletedFrom: 1 })
    expect((await listFields(ctx)).fields.map(({ field }) => field)).toEqual([
      'createdAt',
      'data.seats',
      'email',
      'subscribed',
      'updatedAt',
    ])
    await upsertContact(ctx, { email: 'a@example.com', data: { plan: 7 } })
    expect((await listFields(ctx)).fields).toContainEqual(expect.objectContaining({ field: 'data.plan', type: 'number' }))
    expect(await counted(projectId)).toEqual([2, 0])
  })

  test.each(['email', 'subscribed', 'createdAt', 'updatedAt'])(
    '422 for the standard field %s; a custom one of that name is removed',
    async (field) => {
      const { ctx, projectId, secret } = await freshProject(world)
      await upsertContact(ctx, { email: 'a@example.com', data: { createdAt: 'mine', plan: 'pro' } })
      const { status, body } = await call(`DELETE /contacts/fields/${field}`, undefined, { key: secret })
      expect([status, body.error.errors[0].code]).toEqual([422, 'standard_field'])
      expect(await dataOf(projectId)).toEqual([{ createdAt: 'mine', plan: 'pro' }])
      const { body: removed } = await call('DELETE /contacts/fields/data.createdAt', undefined, { key: secret })
      expect(removed).toEqual({ deletedFrom: 1 })
      expect(await dataOf(projectId)).toEqual([{ plan: 'pro' }])
    },
  )

  test('leaves other projects alone; repeating it removes nothing', async () => {
    const [ours, theirs] = [await freshProject(world), await freshProject(world)]
    for (const { ctx } of [ours, theirs]) await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro' } })
    expect(await deleteField(ours.ctx, { field: 'plan' })).toEqual({ deletedFrom: 1 })
    expect(await deleteField(ours.ctx, { field: 'plan' })).toEqual({ deletedFrom: 0 })
    expect(await dataOf(theirs.projectId)).toEqual([{ plan: 'pro' }])
    expect([await counted(ours.projectId), await counted(theirs.projectId)]).toEqual([
      [0, 0],
      [1, 0],
    ])
  })

  test('repeated after a crash between the contacts and the type, or before the last contact, completes it', async () => {
    const { ctx, projectId } = await freshProject(world)
    await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro' } })
    await upsertContact(ctx, { email: 'b@example.com', data: { plan: 'pro' } })
    await world.db.prisma.$executeRaw`update contacts set data = data - 'plan' where project_id = ${projectId} and email = 'a@example.com'`
    expect(await deleteField(ctx, { field: 'plan' })).toEqual({ deletedFrom: 1 })
    expect(await counted(projectId)).toEqual([0, 0])
    await world.db.prisma.$executeRaw`update contacts set data = '{"plan": 1}' where project_id = ${projectId}`
    expect(await deleteField(ctx, { field: 'plan' })).toEqual({ deletedFrom: 2 })
    expect(await dataOf(projectId)).toEqual([{}, {}])
  })

  test('takes the turns of lists, one field at a time, for an unknown field too', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro', seats: 1 } })
    const ran = runsOf(ctx)
    expect(await deleteField(ran.ctx, { field: 'data.unknown' })).toEqual({ deletedFrom: 0 })
    const asked = /is_seen_by_all|lease|find_life/
    expect(ran.seen.splice(0).filter((name) => !asked.test(name))).toEqual(removal)
    await Promise.all(['plan', 'plan', 'seats'].map((field) => deleteField(ran.ctx, { field })))
    const first = [...removal, 'run contacts_forget_field', ...removal]
    expect(ran.seen.filter((name) => !asked.test(name))).toEqual([...first, ...removal, ...first])
  })

  test('completes it also when its caller leaves while the first contacts are changed; one that waits for its turn does not begin', async () => {
    const { ctx, projectId } = await freshProject(world)
    await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro', seats: 1 } })
    const caller = new AbortController()
    const left = () => caller.signal
    const leaving = { ...ctx, left, db: world.db.of('usr_leaving', left) }
    const held = await holder(world)
    await held.run(`select 1 from contacts where project_id = '${projectId}' for update`)
    const begun = deleteField(leaving, { field: 'plan' })
    const waiting = expect(deleteField(leaving, { field: 'seats' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await held.waitedFor()
    caller.abort()
    await held.commit()
    expect(await begun).toEqual({ deletedFrom: 1 })
    await waiting
    expect(await dataOf(projectId)).toEqual([{ seats: 1 }])
    expect((await listFields(ctx)).fields.filter(({ isCustom }) => isCustom)).toMatchObject([{ field: 'data.seats', type: 'number' }])
  })

  test('removes it from more contacts than a batch has', async () => {
    const { ctx, projectId } = await freshProject(world)
    await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro' } })
    await world.db.prisma.$executeRaw`insert into contacts (project_id, id, email, data, created_at, updated_at)
      select ${projectId}, 'cnt_' || n, 'c' || n || '@example.com', case when n % 1000 = 0 then '{"plan":1}' else '{}' end::jsonb, now(), now()
      from generate_series(1, 4000) n`
    expect(await deleteField(ctx, { field: 'plan' })).toEqual({ deletedFrom: 5 })
    expect((await dataOf(projectId)).every((data) => Object.keys(data as object).length === 0)).toBe(true)
  })

  test('a field of the public key gives its room back, but not the one of the day', async () => {
    const { ctx, projectId } = await freshProject(world)
    const publicCtx = { ...ctx, actor: { kind: 'key', key: 'PUBLIC', projectDisabled: false } as const }
    await trackEvent(publicCtx, { email: 'a@example.com', event: 'seen', data: { theirs: 1 } })
    await deleteField(ctx, { field: 'theirs' })
    const counts = await world.db.prisma.contactFieldCount.findUnique({ where: { projectId } })
    expect(counts).toMatchObject({ fields: 0, publicFields: 0, publicToday: 1 })
  })

  test('writes beside it never fail, and what is left of the field is listed', async () => {
    const { ctx, projectId } = await freshProject(world)
    const write = (at: number, n: number) => upsertContact(ctx, { email: `c${at}@example.com`, data: { busy: n, [`other${at % 5}`]: n } })
    await Promise.all(Array.from({ length: 200 }, (_, at) => write(at, 0)))
    const writes = Array.from({ length: 600 }, (_, n) => write(n % 200, n))
    const removals = [deleteField(ctx, { field: 'busy' }), deleteField(ctx, { field: 'busy' })]
    await Promise.all([...writes, ...removals])
    const left = (await dataOf(projectId)).filter((data) => 'busy' in (data as object)).length
    const { fields } = await listFields(ctx)
    const busy = fields.find(({ field }) => field === 'data.busy')
    expect(busy?.contactCount ?? 0).toBe(left)
    const custom = fields.filter(({ isCustom }) => isCustom).length
    expect((await counted(projectId))[0]).toBe(custom)
  })
})

test('the mutation deleteContactField does the same', async () => {
  const { ctx, secret } = await freshProject(world)
  await upsertContact(ctx, { email: 'a@example.com', data: { plan: 'pro' } })
  const mutation = graphql(`
    mutation DeleteField($input: DeleteContactFieldInput!) { deleteContactField(input: $input) { deletedField contactCount } }
  `)
  const ask = asker(url, secret)
  expect((await ask(mutation, { input: { field: 'data.plan' } })).data?.deleteContactField).toEqual({
    deletedField: 'data.plan',
    contactCount: 1,
  })
  expect((await ask(mutation, { input: { field: 'email' } })).errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
})
