import SchemaBuilder from '@pothos/core'
import { parse } from 'graphql'
import { isAsyncIterable } from 'graphql-yoga'
import { expect, test } from 'vitest'
import { getDatamodel } from '../../../src/generated/pothos.ts'
import type { PrismaClient } from '../../../src/generated/prisma/client.ts'
import type { Ctx } from '../../../src/kit/context.ts'
import type { FieldAccess } from '../../../src/kit/field-access.ts'
import '../../../src/kit/field-access.ts'
import { schema } from '../../../src/server/graphql/schema.ts'
import { requireSharedAccess } from '../../../src/server/graphql/shared-access.ts'
import { subscribe } from '../../../src/server/graphql/subscribe.ts'
import { freshUser } from '../../help/people.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

/** A schema whose subscription reaches a field with an access, from an item that all subscribers are passed. */
function schemaWith(access: FieldAccess) {
  // The types of the Prisma plugin ask for its options; nothing here reads the database.
  const builder = new SchemaBuilder({ plugins: ['access'], prisma: { client: {} as PrismaClient, dmmf: getDatamodel() } })
  const Part = builder.objectRef<object>('Part')
  Part.implement({ fields: (t) => ({ secret: t.string({ nullable: true, access, resolve: () => 'for some' }) }) })
  const Item = builder.objectRef<object>('Item')
  Item.implement({ fields: (t) => ({ part: t.field({ type: Part, resolve: (item) => item }) }) })
  const items = [{}]
  const source = {
    next: async () => (items.length > 0 ? { done: false, value: items[0] } : { done: true, value: undefined }),
    return: async () => ({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => source,
  } as AsyncIterableIterator<object>
  builder.queryType({ fields: (t) => ({ nothing: t.string({ nullable: true, resolve: () => null }) }) })
  const open = { who: 'secret', whileUnverified: true } as const
  builder.subscriptionType({
    fields: (t) => ({ items: t.field({ type: Item, access: open, subscribe: () => source, resolve: (item) => item }) }),
  })
  return builder.toSchema()
}

const document = parse('subscription { items { part { secret } } }')

test('a field that a subscription reaches may say who may use it: it is checked for the keys, roles and verified people who subscribe', async () => {
  const { projectId, ctx: key } = await freshProject(world)
  const reaching = schemaWith({ who: 'admin' })
  const first = async (contextValue: Ctx) => {
    const stream = await subscribe({ schema: reaching, document, contextValue }, 1)
    if (!isAsyncIterable(stream)) throw new Error('There is no stream')
    const { value } = await stream[Symbol.asyncIterator]().next()
    return value.data.items.part.secret ?? value.errors[0].message
  }
  const inside = async (role: 'ADMIN' | 'MEMBER') => {
    const { ctx } = await freshUser(world, { member: { projectId, role } })
    return { ...ctx, projectId, actor: { ...ctx.actor, role } } as Ctx
  }
  const [admin, member] = [await inside('ADMIN'), await inside('MEMBER')]
  const strict = { ...admin, config: { ...admin.config, verifiedOnly: true } } as Ctx
  const verified = (emailVerified: boolean) => ({ ...strict, actor: { ...strict.actor, emailVerified } }) as Ctx
  expect(await first({ ...key, actor: { kind: 'key', key: 'SECRET', projectDisabled: false } })).toBe('for some')
  expect(await first(admin)).toBe('for some')
  expect(await first(member)).toBe('Only an admin or owner of the project may do this.')
  expect(await first(verified(true))).toBe('for some')
  expect(await first(verified(false))).toBe('Confirm your email address first.')
})

test('it may not depend on who they are: then there is no schema', () => {
  expect(() => requireSharedAccess(schemaWith({ who: 'secret', project: () => 'prj_1' }))).toThrow(
    'A subscription reaches Part.secret, whose access names a project',
  )
  expect(() => requireSharedAccess(schemaWith({ who: 'admin', oneself: () => 'usr_1' }))).toThrow('names a person')
  expect(requireSharedAccess(schema)).toBe(schema)
})
