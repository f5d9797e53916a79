import { readFile } from 'node:fs/promises'
import {
  buildSchema,
  findBreakingChanges,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  printSchema,
  resolveSchemaCoordinate,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../../src/server/graphql/schema.ts'
import { oddWords } from '../../help/words.ts'

// The conventions of the schema, which is the product: a stranger understands it alone.
const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__') && !isSpecifiedScalarType(type))
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})

interface Described {
  name: string
  description?: string | null | undefined
}

/** Everything of a type that a stranger reads: itself, its values, fields and their arguments. */
function partsOf(type: GraphQLNamedType): [string, Described][] {
  if (isEnumType(type)) {
    const values = type.getValues().map((value): [string, Described] => [`${type.name}.${value.name}`, value])
    return [[type.name, type], ...values]
  }
  if (isInputObjectType(type)) return [[type.name, type], ...fieldsOf(type)]
  if (!isObjectType(type) && !isInterfaceType(type)) return [[type.name, type]]
  const args = Object.values(type.getFields()).flatMap((field) =>
    field.args.map((arg): [string, Described] => [`${type.name}.${field.name}(${arg.name}:)`, arg]),
  )
  return [[type.name, type], ...fieldsOf(type), ...args]
}

function fieldsOf(type: { name: string; getFields(): Record<string, Described> }): [string, Described][] {
  return Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field])
}

describe('every part of the schema', () => {
  test('says of JSON in inputs that null counts as left out, where it does', () => {
    const coordinates = ['UpsertContactInput', 'UpdateContactInput', 'TrackEventInput', 'SendEmailInput'].map((input) => `${input}.data`)
    for (const coordinate of coordinates) {
      const found = resolveSchemaCoordinate(schema, coordinate)
      expect(found?.kind === 'InputField' && found.inputField.description, coordinate).toMatch(/ Null counts as left out\.$/)
    }
  })

  test('has a description: types, fields, arguments, enum values, input fields', () => {
    const bare = types.flatMap(partsOf).flatMap(([name, { description }]) => (description?.trim() ? [] : [name]))
    expect(bare).toEqual([])
  })

  test('is described in whole sentences without words of our own', () => {
    const odd = types
      .flatMap(partsOf)
      .filter(([, { description }]) => !/^[A-Z“`0-9]/.test(description ?? '') || !/[.:!?`]$/.test(description ?? ''))
    expect(odd.map(([name]) => name)).toEqual([])
    const ours = types.flatMap(partsOf).filter(([, { description }]) => oddWords.test(description ?? ''))
    expect(ours.map(([name]) => name)).toEqual([])
  })
})

describe('mutations', () => {
  // GraphQL has no input object without fields: an `input` is added, without breaking anybody, when there is something to say.
  const withoutInput = ['deleteAccount', 'logOut', 'openBillingPortal', 'regenerateKeys', 'requestVerification', 'rotateWebhookSecret']

  test('take one required argument, `input`, of their own type; those with nothing to say none', () => {
    const taken = mutations.map(({ name, args }) => [name, args.map((arg) => `${arg.name}: ${arg.type}`)])
    const expected = mutations.map(({ name }) => [name, withoutInput.includes(name) ? [] : [`input: ${capital(name)}Input!`]])
    expect(taken).toEqual(expected)
    expect(mutations.map(({ name }) => name)).toEqual(expect.arrayContaining(withoutInput))
  })

  test('answer a payload of their own, never null', () => {
    expect(mutations.map(({ name, type }) => `${name}: ${type}`)).toEqual(mutations.map(({ name }) => `${name}: ${capital(name)}Payload!`))
  })
})

const capital = (name: string): string => (name[0]?.toUpperCase() ?? '') + name.slice(1)

describe('values', () => {
  test('of enums are in SCREAMING_SNAKE_CASE', () => {
    const odd = types
      .filter(isEnumType)
      .flatMap((type) => type.getValues().filter(({ name }) => !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name)))
    expect(odd.map(({ name }) => name)).toEqual([])
  })

  test('that are JSON are data of the user and what it is compared with, conditions and configs as they were sent, what steps did, and metadata of the feed', () => {
    const fields = types.flatMap((type): { name: string; type: GraphQLType }[] =>
      'getFields' in type ? Object.values(type.getFields()) : [],
    )
    const json = fields.filter((field) => getNamedType(field.type).name === 'JSON').map(({ name }) => name)
    expect([...new Set(json)].sort()).toEqual([
      'actual',
      'condition',
      'config',
      'contactFieldValues',
      'context',
      'data',
      'document',
      'input',
      'metadata',
      'output',
      'value',
    ])
  })
})

describe('lists', () => {
  // Lists that cannot pass 100 entries, by what bounds them.
  const small: Record<string, string> = {
    'BulkResult.errors': 'the first 100',
    'ImportResult.errors': 'the first 100',
    'ImportPreview.errors': 'the first 100',
    'ImportPreview.ignoredColumns': 'the first 100',
    'ImportSuppressionsPayload.errors': 'the first 100',
    'Configuration.oauthProviders': 'a closed set',
    'ContactField.operators': 'a closed set',
    'WorkflowField.operators': 'a closed set',
    'DnsRecord.current': 'at most 10 values',
    'Domain.records': 'one per purpose',
    'BillingUsage.records': 'one per category',
    'CampaignAudiencePreview.excluded': 'one per reason',
    'Campaign.links': 'at most 100',
    'CampaignSummary.campaigns': 'the newest 100',
    'Template.versions': 'the newest 20',
    'Email.bcc': 'at most 50',
    'Email.cc': 'at most 50',
    'Email.events': 'at most 100 events',
    'Email.tags': 'at most 10',
    'Email.timeline': 'at most 100 entries',
    'Email.waitingCopies': 'at most 50',
    'EmailMessage.attachments': 'at most 10',
    'EmailMessage.headers': 'at most 100',
    'EmailPreview.missing': 'at most 100',
    'WorkflowExecution.stepExecutions': 'one per step of the version',
    'WorkflowStep.exits': 'at most 21',
    'WorkflowExecutionGraph.steps': 'at most 100',
    'EmailCheck.reasons': 'one per finding',
    'Invoices.invoices': 'the last 100',
    'Invoices.unpaidInvoices': 'of the last 100',
    'Project.invitations': 'at most 100',
    'Query.activityTypes': 'a closed set',
    'Query.topCampaigns': 'at most 100',
    'Query.topEvents': 'at most 100',
    'Query.upcomingActivity': 'at most 100',
    'ReputationStatus.violations': 'one per rate',
    'ReputationStatus.warnings': 'one per rate',
    'Security.recentSuspensions': 'the last 20',
    'Segment.issues': 'one per filter of a condition',
    'SegmentExplanation.leaves': 'one per filter of a condition',
    'User.invitations': 'at most 100',
    'User.sessions': 'at most 100',
    'Workflow.exitEvents': 'at most 20',
    'Workflow.issues': 'at most 100',
    'Workflow.steps': 'at most 100',
  }
  // As long as what the caller asks for: one entry per recipient or id of the call.
  const asked = [
    'AddSegmentMembersPayload.notFound',
    'ContactLookup.found',
    'ContactLookup.notFound',
    'ImportPreview.fields',
    'Query.nodes',
    'SendEmailPayload.emails',
    'SuppressAddressesPayload.suppressions',
  ]
  // Read whole for a chart, a menu or a drawing, at most some thousand short entries.
  const figures = [
    'EmailPreview.links',
    'Query.contactFieldValues',
    'Query.eventCounts',
    'Query.eventNames',
    'Query.timeseries',
    'Workflow.transitions',
    'WorkflowExecutionGraph.transitions',
  ]

  test('that can pass 100 entries are connections', () => {
    const plain = types
      .filter((type) => isObjectType(type) && !type.name.endsWith('Connection'))
      .flatMap((type) =>
        Object.values(isObjectType(type) ? type.getFields() : {})
          .filter((field) => isListType(isNonNullType(field.type) ? field.type.ofType : field.type))
          .map((field) => `${type.name}.${field.name}`),
      )
    expect(plain.sort()).toEqual([...Object.keys(small), ...asked, ...figures].sort())
  })

  test('that are connections have edges, nodes, pageInfo and totalCount', () => {
    for (const type of types) {
      if (isObjectType(type) && type.name.endsWith('Connection'))
        expect(Object.keys(type.getFields()).sort(), type.name).toEqual(['edges', 'nodes', 'pageInfo', 'totalCount'])
    }
  })
})

describe('the last release', () => {
  // schema.graphql as it was released, put beside this test with each release.
  const released = new URL('./released.graphql', import.meta.url)
  const changelog = new URL('../../../CHANGELOG.md', import.meta.url)

  test('is not broken', async () => {
    const releases = [...(await readFile(changelog, 'utf8')).matchAll(/^## (.+)$/gm)].map(([, name]) => name)
    const before = await readFile(released, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (before === undefined) expect(releases, 'a release puts its schema.graphql here as released.graphql').toEqual(['Unreleased'])
    else expect(breaksOf(before)).toEqual([])
  })

  test('would be broken by what is removed without having been deprecated, and by a field that is nullable now', () => {
    const now = printSchema(schema)
    const before = now
      .replace(
        'type Contact implements Node {',
        'type Contact implements Node {\n  plain: Int\n  old: Int @deprecated(reason: "Use plain.")',
      )
      .replace(/(type EventCount {[^}]*name: String!)/, '$1\n  gone(by: Int, was: Int @deprecated): Int')
      .replace(/(type Event implements Node {[^}]*data: JSON)/, '$1!')
    expect(breaksOf(now)).toEqual([])
    expect(breaksOf(before)).toEqual([
      'Field Contact.plain was removed.',
      'Field Event.data changed type from JSON! to JSON.',
      'Field EventCount.gone was removed.',
    ])
  })
})

/** What breaks clients of an older schema, but for parts that it has deprecated. */
function breaksOf(before: string): string[] {
  const old = buildSchema(before)
  const wasDeprecated = (description: string): boolean => {
    const [, coordinate] = description.match(/^(?:Field|Enum value|Argument) (\S+) was removed\.$/) ?? []
    const found = coordinate === undefined ? undefined : resolveSchemaCoordinate(old, coordinate)
    const part = found && { ...('field' in found && found.field), ...('enumValue' in found && found.enumValue) }
    return part?.deprecationReason != null
  }
  return findBreakingChanges(old, schema)
    .map(({ description }) => description)
    .filter((description) => !wasDeprecated(description))
    .sort()
}

test('an input that changes, deletes or duplicates one thing demands its id', () => {
  const inputs = types.filter(isInputObjectType).filter(({ name }) => /^(Update|Delete|Duplicate|Verify|Revoke|End)\w+Input$/.test(name))
  const ids = inputs.flatMap(({ name }) => {
    const field = schema.getType(name)
    const id = isInputObjectType(field) ? field.getFields().id : undefined
    return id ? [[name, isNonNullType(id.type)] as const] : []
  })
  expect(ids.length).toBeGreaterThan(5)
  expect(ids.filter(([, required]) => !required)).toEqual([])
})
