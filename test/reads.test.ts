import ts from 'typescript'
import { expect, test } from 'vitest'
import { isWriteRoute } from '../src/kit/route.ts'
import { routes } from '../src/server/routes.ts'
import { type Part, readCode } from './help/uses.ts'

const { modules, findWay, findOperation } = readCode('src/kit', 'src/modules', 'src/server')

/** What changes something that is stored: rows, jobs and files. */
const writes = [
  /\b(?:insert\s+into|delete\s+from)\s/i,
  /\bupdate\s+(?:only\s+)?"?\w+"?\s+(?:as\s+)?(?:\w+\s+)?set\b/i,
  /\beraser(?:Of)?\(/,
  /\.\w+\s*\.(?:create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany)\(/,
  /\.(?:enqueue|enqueueIn)\(/,
  /\bstorage\s*\.(?:put|remove)\(/,
]

/** What reads may lead to although it writes, or writes in other calls only, with the reason. */
const passedOver: Record<string, string> = {
  'src/modules/emails/mailbox/capture.ts#captureEmail': 'of the transport in development, which a preview asks for its key only',
  'src/modules/projects/webhook-secrets.ts#addWebhookSecrets': 'a project that is older than the secrets gets one when it is first shown',
  'src/modules/workflows/steps/kinds.ts#kinds': 'the kinds of steps are asked what they are; what they do, a worker does',
}

const writers = new Set(
  modules.flatMap(({ path, declared }) =>
    [...declared].flatMap(([name, node]) => (writes.some((write) => write.test(node.getText())) ? [`${path}#${name}`] : [])),
  ),
)
const search = { isWanted: (unit: string) => writers.has(unit), isPassedOver: (unit: string) => unit in passedOver }

type Named = Part & { name: string }

// Everything of the GraphQL schema but mutations: queries, subscriptions, the fields of objects, and what loads them.
const fields: Named[] = modules
  .filter(({ imports }) => imports.get('builder') === 'src/kit/builder.ts#builder')
  .flatMap((module) => module.node.statements.map((part) => ({ name: `${module.path} ${part.getText().split('\n')[0]}`, module, part })))
  .filter(({ part }) => !ts.isImportDeclaration(part) && !/^builder\.mutation/.test(part.getText()))

const rows: Named[] = routes
  .filter((route) => !isWriteRoute(route) || route.notes.reads)
  .flatMap(({ method, path, name, variant }) =>
    [name, ...(variant ? [variant.name] : [])].map((one) => ({ row: `${method} ${path}`, one })),
  )
  .flatMap(({ row, one }) => {
    const operation = findOperation(one)
    return operation ? [{ name: row, ...operation }] : []
  })

/** The shortest way from some parts to each of what they change. */
function waysOf(some: Named[]): string[] {
  const ways = some.flatMap(({ name, module, part }) => {
    const way = findWay(module, part, search)
    return way ? [[name, ...way]] : []
  })
  const byWrite = Map.groupBy(ways, (way) => way.slice(-2).join(' > '))
  return [...byWrite.values()].flatMap((same) => same.toSorted((one, other) => one.length - other.length)[0]?.join(' > ') ?? [])
}

test('a field of GraphQL that is not a mutation changes nothing: what writes is a mutation, which takes turns and is refused in a suspended project', () => {
  expect(fields.length).toBeGreaterThan(200)
  expect(waysOf(fields)).toEqual([])
})

test('a row that reads changes nothing: what writes is a POST, PUT, PATCH or DELETE, or a GET that says so (`changes`)', () => {
  expect(rows.length).toBeGreaterThan(60)
  expect(waysOf(rows)).toEqual([])
})

test('what writes is found: rows by Prisma and by statements, jobs and files; and every exception is still needed', () => {
  const names = [...writers].map((unit) => unit.split('#')[1])
  expect(names).toEqual(
    expect.arrayContaining(['deleteCampaign', 'deleteMembers', 'requestPasswordReset', 'jobInsert', 'uploadImage', 'settleEmails']),
  )
  const needed = (unit: string) => {
    const without = { ...search, isPassedOver: (one: string) => one !== unit && one in passedOver }
    return [...fields, ...rows].some(({ module, part }) => findWay(module, part, without))
  }
  expect(Object.keys(passedOver).filter((unit) => !needed(unit))).toEqual([])
})
