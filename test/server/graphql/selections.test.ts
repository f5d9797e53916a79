import { type GraphQLObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { getDatamodel } from '../../../src/generated/pothos.ts'
import { schema } from '../../../src/server/graphql/schema.ts'

/**
 * JSON that Prisma may build in one go, for all rows of a page, because few values fit into it. All other JSON is read apart, after its
 * size and in pieces: Prisma takes a second for some millions of values, and nobody else is answered meanwhile.
 */
const small: Record<string, string> = {
  'Campaign: audienceFilter': 'a condition, at most 64 KB with 5,000 values in its lists',
  'Email.bcc: content.bcc': 'at most 50 addresses',
  'Email.cc: content.cc': 'at most 50 addresses',
  'Email.tags: content.tags': 'a few short texts',
  'Email: delivery.copies': 'at most 50 addresses',
  'Job.bulkResult: result': 'numbers, and at most 100 errors',
  'Job.importResult: result': 'the same',
  'Job: result': 'the same',
  'Segment: condition': 'those of a project have at most 4 MB together, and each 5,000 values in its lists',
  'Workflow: issues': 'at most 100 of five short texts',
}

interface Model {
  fields: { name: string; type: string; relationName?: string }[]
}
const { models } = getDatamodel().datamodel as unknown as { models: Record<string, Model> }
const objects = Object.values(schema.getTypeMap()).filter((type): type is GraphQLObjectType => isObjectType(type))

function jsonIn(select: object, model: string, path = ''): string[] {
  return Object.entries(select).flatMap(([name, value]: [string, unknown]) => {
    const field = models[model]?.fields.find((one) => one.name === name)
    if (!field || value === false) return []
    if (field.type === 'Json') return [path + name]
    if (!field.relationName) return []
    const nested = (value as { select?: object }).select
    // Without a selection of its own all columns of a relation are read.
    return nested ? jsonIn(nested, field.type, `${path}${name}.`) : [`all of ${path}${name}`]
  })
}

const selectionsOf = async (type: GraphQLObjectType): Promise<[string, object][]> => {
  const own = type.extensions.pothosPrismaSelect as object | undefined
  const fields = Object.values(type.getFields()).map(async ({ name, extensions }): Promise<[string, object]> => {
    const select = extensions.pothosPrismaSelect as object | ((...given: unknown[]) => object | Promise<object>) | undefined
    // Of a connection: what it needs itself.
    const selected = typeof select === 'function' ? await select({}, {}, (query: object) => query) : select
    return [`${type.name}.${name}`, selected ?? {}]
  })
  const all = Object.fromEntries((models[String(type.extensions.pothosPrismaModel)]?.fields ?? []).map(({ name }) => [name, true]))
  return [[type.name, own ?? all], ...(await Promise.all(fields))]
}

test('no selection of Prisma has JSON that may be large', async () => {
  const found = await Promise.all(
    objects.map(async (type) => {
      const model = (type.extensions.pothosPrismaModel ?? '') as string
      return model === ''
        ? []
        : (await selectionsOf(type)).flatMap(([where, select]) => jsonIn(select, model).map((column) => `${where}: ${column}`))
    }),
  )
  expect(found.flat().toSorted()).toEqual(Object.keys(small).toSorted())
})
