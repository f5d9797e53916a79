import { getNamedType, getNullableType, isListType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { shapesOfInputs } from '../src/kit/bounded.ts'
import { type Components, schemaOf } from '../src/kit/openapi/schemas.ts'
import { schema as graphql } from '../src/server/graphql/schema.ts'
import { document } from './help/contract.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read like any JSON.
type Part = any

const rows = Object.entries<Part>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Part>(methods).map(([method, row]) => ({ name: `${method.toUpperCase()} ${path}`, row })),
)

/** The schemas of an input or answer with the names that lead to them, those of references included, each once. */
function* schemasIn(part: Part, at: string, root = document, seen = new Set<Part>()): Generator<{ at: string; schema: Part }> {
  const schema = resolved(part, root)
  if (!schema || typeof schema !== 'object' || seen.has(schema)) return
  seen.add(schema)
  yield { at, schema }
  for (const [name, inner] of Object.entries<Part>(schema.properties ?? {})) yield* schemasIn(inner, `${at}.${name}`, root, seen)
  for (const inner of [schema.items, schema.additionalProperties]) yield* schemasIn(inner, `${at}[]`, root, seen)
  for (const inner of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((some) => some ?? [])) yield* schemasIn(inner, at, root, seen)
}

function resolved(part: Part, root: Part): Part {
  if (!part?.$ref) return part
  return part.$ref
    .split('/')
    .slice(1)
    .reduce((at: Part, key: string) => at?.[key], root)
}

const bodies = rows.flatMap(({ name, row }) =>
  Object.values<Part>(row.requestBody?.content ?? {}).flatMap(({ schema }) => [...schemasIn(schema, name)]),
)

// Files that ran before in this process may have made inputs that are not in the schema.
const inputs = [...shapesOfInputs].flatMap(([shape, name]) => {
  if (name !== null && !graphql.getType(name)) return []
  const schemas: Components = {}
  const schema = schemaOf(shape as z.ZodType, 'input', schemas)
  return [...schemasIn(schema, name ?? 'arguments', { components: { schemas } })]
})
const taken = [...bodies, ...inputs]

test('every list that a body or an input of GraphQL takes has a bound', () => {
  const lists = taken.filter(({ schema }) => schema.type === 'array')
  expect(lists.length).toBeGreaterThan(20)
  expect(lists.filter(({ schema }) => schema.maxItems === undefined).map(({ at }) => at)).toEqual([])
})

// What these take is looked up, or has the bound of its body; everything that is stored has one of its own.
const lookedUp =
  /(\.(\w+Id|id|template|cursor)|\.(contactIds|ids|excludeIds|emails)\[\]|^(EventFilter\.name|Delete\w+Input\.(field|eventName|email)))$/
// The header of the same name has the same rule.
const boundAsHeader = /\.idempotencyKey$/
const boundByBody = /^(POST \/v1\/send|SendEmailInput)\.(body|text)$|(\.attachments\[\]|^arguments|^\w+Input)\.content$|\.file$/
const boundByCondition = /\.filters\[\]\.value(\[\])?$/

test('every text that a body or an input of GraphQL takes has a bound', () => {
  const isText = ({ type }: Part) => [type].flat().includes('string')
  // A pattern is a bound only where it says how long the text may be; addresses have one of their own.
  const isShort = (pattern?: string) => pattern !== undefined && !/[*+]|\{\d+,\}/.test(pattern)
  const isClosed = ({ enum: values, const: value, format, pattern }: Part) =>
    values ?? value ?? (isShort(pattern) || /^(date|(idn-)?email$)/.test(format ?? ''))
  const texts = taken.filter(({ schema }) => isText(schema))
  const unbounded = texts.filter(({ schema }) => schema.maxLength === undefined && !isClosed(schema))
  expect(texts.length).toBeGreaterThan(150)
  expect(
    unbounded.map(({ at }) => at).filter((at) => ![lookedUp, boundAsHeader, boundByBody, boundByCondition].some((known) => known.test(at))),
  ).toEqual([])
})

// Whoever takes a text or a list as an argument of its own, without a shape, adds a line here: what bounds it.
const plainArguments: Record<string, string> = {
  'Query.checkEmail(email)': 'the rule of addresses',
  'Query.checkImport(content)': '5 MB, as an import',
  'Query.contactFieldValues(field)': 'looked up',
  'Query.contactLookup(emails)': 'the shape of /contacts/lookup, 500',
  'Query.emailTotals(timezone)': 'the names of time zones',
  'Query.eventUsage(name)': 'looked up',
  'Query.invitation(token)': 'looked up by its hash',
  'Query.nodes(ids)': 'each counts in the cost of the call, 5,000',
  'Query.suppression(email)': 'looked up',
  'Query.timeseries(timezone)': 'the names of time zones',
  'Query.topCampaigns(timezone)': 'the names of time zones',
  'Query.workflowFields(eventName)': 'looked up',
  'Subscription.activity(types)': 'a closed set, taken as a set',
}

test('every text and list that is an argument of its own in GraphQL has something that bounds it', () => {
  const args = Object.values(graphql.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values(isObjectType(type) ? type.getFields() : {}).map((field) => ({ on: `${type.name}.${field.name}`, field })),
    )
    .flatMap(({ on, field }) => field.args.map((arg) => ({ at: `${on}(${arg.name})`, arg })))
  const open = args.filter(({ arg }) => isListType(getNullableType(arg.type)) || ['String', 'JSON'].includes(getNamedType(arg.type).name))
  expect(
    open
      .map(({ at }) => at)
      .filter((at) => !/\((after|before)\)$/.test(at))
      .sort(),
  ).toEqual(Object.keys(plainArguments).sort())
})

// Whoever answers with a list that is not a page adds a line here: what bounds it.
const wholeLists: Record<string, string> = {
  'GET /activity/types': 'a closed set',
  'GET /analytics/campaign-stats': 'the newest campaigns with figures',
  'GET /analytics/timeseries': '366 days, or 31 of hours',
  'GET /campaigns/{id}/audience': 'a reason each',
  'GET /contacts/bulk/{jobId}': '100 errors',
  'GET /contacts/fields': '2,000 fields of a project',
  'GET /contacts/fields/{field}/usage': '500 of each kind',
  'GET /contacts/import/{jobId}': '100 errors',
  'GET /contacts/{id}/export': 'everything about one person, written in batches as it is taken',
  'GET /domains/project/{projectId}': '50 domains of a project, each with its records',
  'GET /domains/{id}/verify': 'the records of a domain',
  'GET /emails/{id}': 'the first events of an email',
  'GET /events/names': 'the 1,000 most frequent',
  'GET /events/stats': 'the 1,000 most frequent',
  'GET /events/{eventName}/usage': '500 of each kind',
  'GET /projects/{id}/members': '1,000 members and 100 invitations of a project',
  'GET /projects/{id}/security': 'the latest 20 suspensions, and a line for each rate',
  'GET /segments': '500 of a project',
  'GET /segments/{id}/contacts/{contactId}/explanation': '100 leaves',
  'GET /templates/{id}/usage': '500 campaigns, 1,000 steps',
  'GET /users/@me/invitations': 'the newest 100',
  'GET /users/@me/projects': 'each was made, or joined, by the user',
  'GET /users/@me/projects/{id}/billing-consumption': 'a line for each kind of use',
  'GET /users/@me/projects/{id}/billing-invoices': 'the latest 100',
  'GET /users/@me/projects/{id}/security': 'as of /projects/{id}/security',
  'GET /users/@me/sessions': '100 of a person',
  'GET /workflows/fields': 'the fields of a project, and those of one event',
  'GET /workflows/{id}': '100 steps, 100 transitions of each',
  'GET /workflows/{id}/executions/{executionId}': 'a step each: there are no loops',
}

test('every list that is read is a page, or it is known what bounds it', () => {
  const isPage = (row: Part) => row.parameters?.some(({ name }: Part) => ['limit', 'pageSize'].includes(name))
  const lists = rows
    .filter(({ name, row }) => name.startsWith('GET ') && !isPage(row))
    .filter(({ row }) =>
      Object.values<Part>(row.responses[200]?.content ?? {}).some(({ schema }) =>
        [...schemasIn(schema, '')].some((one) => one.schema.type === 'array' && one.schema.maxItems === undefined),
      ),
    )
  expect(lists.map(({ name }) => name).sort()).toEqual(Object.keys(wholeLists).sort())
})

test('every parameter that says how many are answered, and every number that a body or an input takes, has a maximum', () => {
  const parameters = rows.flatMap(({ name, row }) =>
    (row.parameters ?? []).map(({ name: of, schema }: Part) => ({ at: `${name} ${of}`, schema: resolved(schema, document) })),
  )
  const counts = parameters.filter(({ at }) => /(limit|pageSize|minutes|daysAhead)$/.test(at))
  expect(counts.length).toBeGreaterThan(15)
  const numbers = taken.filter(({ schema }) => [schema.type].flat().some((type) => type === 'integer' || type === 'number'))
  expect(numbers.length).toBeGreaterThan(10)
  const open = [...counts, ...numbers].filter(({ schema }) => schema.maximum === undefined || schema.maximum === Number.MAX_SAFE_INTEGER)
  expect(open.map(({ at }) => at).filter((at) => !boundByCondition.test(at))).toEqual([])
})
