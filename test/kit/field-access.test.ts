import SchemaBuilder from '@pothos/core'
import { graphql } from 'graphql'
import { describe, expect, test } from 'vitest'
import { getDatamodel } from '../../src/generated/pothos.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import type { Access } from '../../src/kit/access.ts'
import { type Ctx, callIn } from '../../src/kit/context.ts'
import type { Failure } from '../../src/kit/errors.ts'
import '../../src/kit/field-access.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()

function schemaWith(who: Access) {
  // The types of the Prisma plugin ask for its options; nothing here reads the database.
  const prisma = { client: {} as PrismaClient, dmmf: getDatamodel() }
  const builder = new SchemaBuilder<{ Context: Ctx }>({ plugins: ['access'], prisma })
  builder.queryType({
    fields: (t) => ({
      notes: t.string({ args: { id: t.arg.string() }, access: { who, project: (_parent, { id }) => id }, resolve: () => 'notes' }),
    }),
  })
  builder.mutationType({
    fields: (t) => ({
      wait: t.string({ access: who, nullable: true, resolve: async (_parent, _args, ctx) => void (await ctx.rightsNow?.()) }),
    }),
  })
  return builder.toSchema()
}

test.each(['none', 'user'] as const)('a field that names a project cannot have the access %s, which checks no membership', (who) => {
  expect(() => schemaWith(who)).toThrow('Query.notes names a project')
})

test.each(['secret', 'admin', 'admin session'] as const)('a field that names a project can have the access %s', (who) => {
  expect(schemaWith(who).getQueryType()?.getFields()).toHaveProperty('notes')
})

describe('a mutation that waits', () => {
  const person = { userId: 'usr_1', email: 'ada@example.com', sessionId: 'ses_1', emailVerified: true, memberships: [] }
  const member: Ctx['actor'] = { kind: 'user', ...person, role: 'ADMIN', projectDisabled: false }

  async function wait(who: Access, before: Ctx['actor'], now: Ctx['actor']) {
    const { account, ...ctx } = callIn(world, { actor: before, projectId: 'prj_1' })
    const contextValue: Ctx = { ...ctx, account, rightsNow: async () => ({ actor: now, account }) }
    const { errors } = await graphql({ schema: schemaWith(who), source: 'mutation { wait }', contextValue })
    return errors?.map(({ originalError }) => (originalError as Failure).code)
  }

  test('goes on with the rights that its caller still has', async () => {
    const key = { kind: 'key', key: 'SECRET', projectDisabled: false } as const
    expect(await wait('secret', key, key)).toBeUndefined()
    expect(await wait('admin', member, member)).toBeUndefined()
  })

  test('does not go on while its project is suspended', async () => {
    const key = { kind: 'key', key: 'SECRET', projectDisabled: false } as const
    expect(await wait('secret', key, { ...key, projectDisabled: true })).toEqual(['PROJECT_DISABLED'])
  })

  test('does not go on for who is no longer an admin', async () => {
    expect(await wait('admin', member, { ...member, role: 'MEMBER' })).toEqual(['FORBIDDEN'])
  })
})
