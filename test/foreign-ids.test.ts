import { type GraphQLArgument, getNamedType, isInputObjectType, isObjectType } from 'graphql'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { holdsIds, prefixes } from '../src/kit/ids.ts'
import { schema } from '../src/server/graphql/schema.ts'
import { routes } from '../src/server/routes.ts'
import { document } from './help/contract.ts'
import { type Part, readCode } from './help/uses.ts'

// An id of another project finds nothing: statements and Prisma name the project of the call, but for the statements below.

const { modules, findWay, findOperation } = readCode('src/kit', 'src/modules', 'src/server')

/** What statements for all projects, or options of several such statements, are given by operations that callers use. */
const givenTo: Record<string, string> = {
  'src/modules/auth/accounts/sql.ts#ofPeople': 'the caller themselves, an address, or the hash of a token',
  'src/modules/auth/sessions/sql.ts#ofPeople': 'the caller themselves, or the hash of their session',
  'src/modules/billing/stripe/sql.ts#storeStripeEvent': 'what the payment provider has signed',
  'src/modules/campaigns/sql.ts#lockProjectCampaigns': 'the project of the call',
  'src/modules/contacts/fields/sql.ts#isSeenByAll': 'a transaction',
  'src/modules/domains/sql.ts#lockProjectDomains': 'the project of the call',
  'src/modules/emails/feedback/sql.ts#findEmailOfDomain': 'what Amazon has signed',
  'src/modules/emails/feedback/sql.ts#findRemovedOfDomain':
    'the domain and the id of a Message-ID that a provider reports, as for emails that are there',
  'src/modules/security/sql.ts#countMore': 'the project whose emails a reset or a deletion removes, or that a removed email names',
  'src/modules/emails/inbound/sql.ts#findInboundProjects': 'what Amazon has signed',
  'src/modules/emails/queue/sql.ts#across': 'the project of the call',
  'src/modules/events/reader/sql.ts#wholeLog': 'the place of a reader of the log',
  'src/modules/filters/segments/sql.ts#lockAsking': 'the project of the call',
  'src/modules/jobs/sql.ts#lockProjectJobs': 'the project of the call',
  'src/modules/projects/members/sql.ts#findInvitation': 'the hash of a token',
  'src/modules/projects/members/sql.ts#findProjectsOf': 'the caller themselves',
  'src/modules/projects/members/sql.ts#lockProject':
    'the project of the call, of an invitation with its token, or of a membership of the caller',
  'src/modules/projects/members/sql.ts#lockSession': 'the session of the call',
  'src/modules/projects/members/sql.ts#ofPeople': 'the caller themselves',
  'src/modules/projects/sql.ts#countOwned': 'the caller themselves',
  'src/modules/projects/sql.ts#own': 'the project of the call',
  'src/modules/projects/sql.ts#selectOwned': 'the caller themselves',
  'src/modules/security/sql.ts#readReputation': 'the project of the call',
  'src/modules/ses/sql.ts#across': 'what Amazon has signed',
  'src/modules/users/sql.ts#ofPeople': 'the caller themselves, or an address',
  'src/modules/workflows/sql.ts#lockProjectWorkflows': 'the project of the call',
}

const open = new Set(
  modules.flatMap(({ path, declared }) =>
    [...declared].flatMap(([name, node]) => (path.endsWith('/sql.ts') && /\ballProjects:/.test(node.getText()) ? [`${path}#${name}`] : [])),
  ),
)
const fields = modules
  .filter(({ imports }) => imports.get('builder') === 'src/kit/builder.ts#builder')
  .flatMap((module) => module.node.statements.flatMap((part) => (ts.isImportDeclaration(part) ? [] : [{ module, part }])))
const rows = routes.flatMap(({ name, variant }) => [name, ...(variant ? [variant.name] : [])].map(findOperation))

/** The statements for all projects that some code leads to. */
function openIn({ module, part }: Part): string[] {
  const reached: string[] = []
  const isWanted = (unit: string) => {
    if (open.has(unit)) reached.push(unit)
    return false
  }
  findWay(module, part, { isWanted })
  return reached
}

test('a statement for all projects that an operation uses is given nothing that a caller may choose: say above what it is given, or name the project in it', () => {
  expect(rows.filter((row) => row === undefined)).toEqual([])
  expect(fields.length).toBeGreaterThan(200)
  const reached = new Set([...rows.filter((row) => row !== undefined), ...fields].flatMap(openIn))
  expect(open.size).toBeGreaterThan(50)
  expect([...reached].filter((unit) => !(unit in givenTo))).toEqual([])
  expect(Object.keys(givenTo).filter((unit) => !reached.has(unit))).toEqual([])
})

const kinds = Object.keys(prefixes).join('|')
const saysId = new RegExp(`\\b[Ii]ds? of (?:the|a|an|its|each|some) (?:${kinds})s?\\b|\`(?:${Object.values(prefixes).join('|')})_`)

const inputAt = (on: string, { name, type, description }: Pick<GraphQLArgument, 'name' | 'type' | 'description'>) => ({
  at: `${on}.${name}`,
  type: getNamedType(type).name,
  description: description ?? '',
})

test('what a caller sends as an id is named for its kind, such as `segmentId`: then it is an ID in GraphQL, and has an example', () => {
  const inputs = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) return Object.values(type.getFields()).map((field) => inputAt(type.name, field))
    const taking = isObjectType(type) && !type.name.startsWith('__') ? Object.values(type.getFields()) : []
    return taking.flatMap(({ name, args }) => args.map((arg) => inputAt(`${type.name}.${name}`, arg)))
  })
  const texts = inputs.filter(({ type }) => type === 'String')
  expect(texts.length).toBeGreaterThan(100)
  expect(texts.filter(({ description }) => saysId.test(description)).map(({ at }) => at)).toEqual([])
  const parameters = Object.entries<Record<string, { parameters?: { name: string; description?: string }[] }>>(document.paths).flatMap(
    ([path, methods]) =>
      Object.values(methods).flatMap(({ parameters = [] }) => parameters.map((one) => ({ ...one, at: `${path} ${one.name}` }))),
  )
  expect(parameters.filter(({ name, description }) => saysId.test(description ?? '') && !holdsIds(name)).map(({ at }) => at)).toEqual([])
})
