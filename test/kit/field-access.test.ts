import SchemaBuilder from '@pothos/core'
import { expect, test } from 'vitest'
import { getDatamodel } from '../../src/generated/pothos.ts'
import type { PrismaClient } from '../../src/generated/prisma/client.ts'
import type { Access } from '../../src/kit/access.ts'
import '../../src/kit/field-access.ts'

function schemaWith(who: Access) {
  // The types of the Prisma plugin ask for its options; nothing here reads the database.
  const prisma = { client: {} as PrismaClient, dmmf: getDatamodel() }
  const builder = new SchemaBuilder({ plugins: ['access'], prisma })
  builder.queryType({
    fields: (t) => ({
      notes: t.string({ args: { id: t.arg.string() }, access: { who, project: (_parent, { id }) => id }, resolve: () => 'notes' }),
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
