import { readFile } from 'node:fs/promises'
import { isEnumType, printSchema } from 'graphql'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../src/kit/errors.ts'
import { schema } from '../src/server/graphql/schema.ts'
import { routes } from '../src/server/routes.ts'
import { document } from './help/contract.ts'
import { all } from './help/syntax.ts'
import { type Part, readCode } from './help/uses.ts'

const { modules, findWay, findOperation } = readCode('src/kit', 'src/modules', 'src/server')

/** The codes of the failures that a declaration makes itself, by its unit. */
const codes = new Map<string, string[]>(
  modules.flatMap(({ path, declared }) => [...declared].map(([name, node]) => [`${path}#${name}`, [...codesIn(node)]])),
)

function* codesIn(node: ts.Node): Generator<string> {
  if (ts.isNewExpression(node) && node.expression.getText() === 'Failure')
    for (const [, code] of node.arguments?.[0]?.getText().matchAll(/'([A-Z_]+)'/g) ?? []) yield code ?? ''
  if (ts.isCallExpression(node) && node.expression.getText() === 'notFound') {
    const [code] = node.arguments
    yield code && ts.isStringLiteral(code) ? code.text : 'RESOURCE_NOT_FOUND'
  }
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  for (const child of children) yield* codesIn(child)
}

interface Response {
  content?: Record<string, { examples?: object }>
}

/** What rows use as far as names tell, and never call. */
const passedOver = [
  // The kinds of steps say what is wrong with a graph; what they do, a worker does.
  'src/modules/workflows/steps/kinds.ts#kinds',
  // The sizes of GraphQL; those of REST are checked by their shapes.
  'src/kit/paging.ts#connectionSize',
  // What a caller of GraphQL has seen of an object.
  'src/kit/unchanged.ts#requireUnchanged',
]

/** Failures that a row cannot have, although it uses what makes them: with the reason. */
const impossible: Record<string, string> = {
  'POST /segments RESOURCE_NOT_FOUND src/modules/segments/segments.ts#one': 'it was just created',
  'POST /campaigns RESOURCE_NOT_FOUND src/modules/campaigns/campaigns.ts#getCampaign': 'it was just created',
  'POST /workflows RESOURCE_NOT_FOUND src/modules/workflows/changes.ts#add': 'it was just created',
  'GET /users/@me/projects RESOURCE_NOT_FOUND src/kit/access.ts#enterProject': 'names no project',
  'GET /contacts VALIDATION_ERROR src/kit/errors.ts#invalid': 'a segment that is not there is SEGMENT_NOT_FOUND',
  'GET /segments PAYLOAD_TOO_LARGE src/kit/bodies.ts#tooManyBodies': 'read without a bound, as what they have together has one',
  'GET /templates/:id PAYLOAD_TOO_LARGE src/kit/bodies.ts#tooManyBodies': 'a single one is always read',
  'GET /campaigns/:id PAYLOAD_TOO_LARGE src/kit/bodies.ts#tooManyBodies': 'a single one is always read',
  'DELETE /campaigns/:id PAYLOAD_TOO_LARGE src/kit/bodies.ts#tooManyBodies': 'a single one is always read',
  'GET /campaigns/:id/stats PAYLOAD_TOO_LARGE src/kit/bodies.ts#tooManyBodies': 'a single one is always read',
  'GET /campaigns/:id/audience PAYLOAD_TOO_LARGE src/kit/bodies.ts#tooManyBodies': 'a single one is always read',
  'GET /campaigns/:id/audience VALIDATION_ERROR src/modules/campaigns/audience/audience.ts#conditionOfTarget':
    'a stored campaign has a whole audience',
  'POST /campaigns/:id/cancel BILLING_LIMIT_EXCEEDED src/modules/billing/charge.ts#exceeded': 'gives back what was charged',
  'DELETE /workflows/:id/steps/:stepId VALIDATION_ERROR src/modules/workflows/graph/graph.ts#notReady':
    'a deletion is never refused for what it leaves',
  'DELETE /workflows/:id/transitions/:transitionId VALIDATION_ERROR src/modules/workflows/graph/graph.ts#notReady':
    'a deletion is never refused for what it leaves',
  'GET /users/@me/projects/:id/billing-consumption BILLING_DISABLED src/modules/billing/stripe/stripe.ts#stripeOf':
    'credits are asked for with billing only',
  'DELETE /users/@me/projects/:id BILLING_DISABLED src/modules/billing/stripe/stripe.ts#stripeOf':
    'the payment provider is asked with billing only',
  'GET /auth/logout UNAUTHORIZED src/kit/access.ts#requireUser': 'without a session there is nothing to end',
  'POST /webhooks/sns VALIDATION_ERROR src/kit/errors.ts#invalid': 'what Amazon reports holds no data of ours',
  'POST /webhooks/sns BILLING_LIMIT_EXCEEDED src/modules/billing/charge.ts#exceeded': 'an email over the cap is dropped with a warning',
  'POST /webhooks/sns CONFLICT src/modules/contacts/contacts.ts#change': 'no address of a contact is changed',
}

// Also of the form of an endpoint for another kind of content, and of what verifies the calls of a receiver.
const rows = routes
  .flatMap(({ name, method, path, variant, signature }) =>
    [name, variant?.name, signature?.verify.name].flatMap((one) => (one ? [{ name: one, method, path }] : [])),
  )
  .map(({ name, method, path }) => {
    const operation = findOperation(name)
    return { row: `${method} ${path}`, responses: responsesOf(method, path), made: operation && madeBy(operation) }
  })

function responsesOf(method: string, path: string): Record<string, Response> {
  return document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()].responses
}

/** The codes that an operation may fail with, each with the unit that makes it. */
function madeBy({ module, part }: Part): Map<string, string> {
  const made = new Map<string, string>()
  const isWanted = (unit: string) => {
    for (const code of codes.get(unit) ?? []) if (!made.has(code)) made.set(code, unit)
    return false
  }
  findWay(module, part, { isWanted, isPassedOver: (unit) => passedOver.includes(unit) })
  return made
}

test('a row says in the OpenAPI document every code that its operation may fail with', () => {
  const undeclared = rows.flatMap(({ row, responses, made = new Map<string, string>() }) => {
    const published = Object.values(responses).flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {}))
    return [...made].flatMap(([code, unit]) => (published.includes(code) ? [] : [`${row} ${code} ${unit}`]))
  })
  expect(undeclared.filter((one) => !(one in impossible))).toEqual([])
  expect(Object.keys(impossible).filter((one) => !undeclared.includes(one))).toEqual([])
})

test('the operation of every row is found, and the limits of those that have one', () => {
  expect(rows.filter(({ made }) => !made).map(({ row }) => row)).toEqual([])
  const limited = ['POST /auth/login', 'POST /auth/signup', 'POST /projects/:id/members', 'POST /campaigns/:id/test']
  expect(limited.filter((row) => !rows.some((one) => one.row === row && one.made?.has('RATE_LIMIT_EXCEEDED')))).toEqual([])
})

test('a failure names its code where it is made, so that the rows that may fail with it are found', () => {
  const isLiteral = (code: ts.Node | undefined): boolean =>
    code !== undefined &&
    (ts.isStringLiteral(code) || (ts.isConditionalExpression(code) && isLiteral(code.whenTrue) && isLiteral(code.whenFalse)))
  const made = modules.flatMap(({ path, node }) =>
    all(node, (part) => ts.isNewExpression(part) && part.expression.getText() === 'Failure').map((part) => ({
      path,
      code: (part as ts.NewExpression).arguments?.[0],
    })),
  )
  expect(made.length).toBeGreaterThan(150)
  // A code that was made elsewhere, with another sentence or without its stack.
  expect(made.filter(({ code }) => !isLiteral(code)).map(({ path, code }) => `${path}: ${code?.getText()}`)).toEqual([
    'src/kit/errors.ts: code',
    'src/modules/contacts/import/continue.ts: error.code',
    'src/server/graphql/errors.ts: code',
  ])
})

test('429 is made by `tooManyRequests` only, which says when to try again', () => {
  expect([...codes].filter(([, made]) => made.includes('RATE_LIMIT_EXCEEDED')).map(([unit]) => unit)).toEqual([
    'src/kit/errors.ts#tooManyRequests',
  ])
})

test('what the schema and the OpenAPI document say in capitals is a code, a value or a setting', async () => {
  const texts = [printSchema(schema), JSON.stringify(document), await readFile('.env.example', 'utf8')]
  const words = texts.map((text) => new Set(text.match(/\b[A-Z]{2,}(?:_[A-Z0-9]+)+\b/g)))
  const values = Object.values(schema.getTypeMap()).flatMap((type) => (isEnumType(type) ? type.getValues().map(({ name }) => name) : []))
  const settings = texts[2]?.match(/^(?:# )?[A-Z0-9_]+(?==)/gm)?.map((name) => name.replace('# ', '')) ?? []
  const known = new Set([...Object.keys(errorCatalogue), ...values, ...settings])
  expect(known.size).toBeGreaterThan(150)
  expect([...new Set([...(words[0] ?? []), ...(words[1] ?? [])])].filter((word) => !known.has(word))).toEqual([])
})
