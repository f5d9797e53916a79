import ts from 'typescript'
import { expect, test } from 'vitest'
import { sources } from './help/sources.ts'
import { all, found, parsed } from './help/syntax.ts'

const adapters = parsed.filter(({ path }) => /^src\/modules\/.*\/(rest|graphql|jobs)\.ts$/.test(path))

test('adapters hold no logic: a branch belongs in an operation', () => {
  const isBranch = (node: ts.Node) => ts.isIfStatement(node) || ts.isSwitchStatement(node) || ts.isConditionalExpression(node)
  expect(adapters.length).toBeGreaterThan(60)
  expect(found(adapters, isBranch)).toEqual([
    // A relation that there may be.
    "src/modules/activity/upcoming/graphql.ts: type === 'campaign.scheduled' ? id : null",
    'src/modules/activity/upcoming/graphql.ts: contactId === undefined ? null : id',
    // The kind of each field.
    "src/modules/campaigns/counts/graphql.ts: name.endsWith('Rate') ? t.exposeFloat(name, described) : t.exposeInt(name, described)",
    // The status of an answer, by what it is.
    "src/modules/contacts/import/rest.ts: 'jobId' in answer ? 202 : 200",
    'src/modules/contacts/rest.ts: _meta.isNew ? 201 : 200',
    "src/modules/contacts/rest.ts: 'success' in answer ? 200 : 201",
    "src/modules/resets/graphql.ts: 'jobId' in result ? result.jobId : null",
    "src/modules/resets/rest.ts: 'jobId' in answer ? 202 : 200",
    // Relations that there may be.
    'src/modules/workflows/executions/graphql.ts: currentStepId === null ? null : findStepOfVersion(ctx, { workflowId, version, stepId: currentStepId })',
    'src/modules/workflows/graphql.ts: eventName === null ? null : { eventName }',
    "src/modules/workflows/rest.ts: 'isNew' in answer && answer.isNew === false ? 200 : 201",
  ])
})

test('adapters ask the database nothing: a query belongs in an operation', () => {
  const isQuery = (node: ts.Node) => ts.isPropertyAccessExpression(node) && /\b(db|prisma|tx)\.\w+$/.test(node.getText())
  const pages = parsed.filter(({ path }) => /^src\/modules\/.*\/(pages|views)(\/\w+)?\.ts$/.test(path))
  expect(pages.length).toBeGreaterThan(5)
  expect(found([...adapters, ...pages], isQuery)).toEqual([])
})

test('what reads many rows says how many at most: by `take`, by the window of a page, or by the ids that it asks for', () => {
  const isBound = (text: string) => /\btake\b|\.\.\.\(?window\b|\b(id|\w+Id): \{ in: \w/.test(text)
  const reads = parsed.flatMap(({ path, node }) =>
    all(node, (part) => ts.isCallExpression(part) && /\.findMany$/.test(part.expression.getText())).map((part) => ({
      path,
      text: part.getText(),
    })),
  )
  expect(reads.length).toBeGreaterThan(25)
  const open = reads.filter(({ text }) => !isBound(text)).map(({ path, text }) => `${path}: ${text.replace(/\s+/g, ' ')}`)
  expect(open).toEqual([])
})

const plainErrors = /^(Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error$/

test('what an operation refuses is a Failure with a code of the catalogue: an Error is a bug, shown as INTERNAL_SERVER_ERROR', () => {
  // These cannot happen unless other code is wrong, or the provider, or end as the reason of an email or a job.
  const bugs = [
    'src/modules/analytics/events.ts: There is no UTC',
    'src/modules/billing/stripe/checkout.ts: The checkout session',
    'src/modules/billing/stripe/sync.ts: The state of customer',
    'src/modules/emails/accept/accept.ts: Cannot accept a call without recipients',
    'src/modules/emails/accept/send.ts: A recipient of an accepted call has no email',
    'src/modules/emails/delivery/attempt.ts: The steps of an attempt are out of order',
    'src/modules/emails/delivery/contents.ts: The content',
    'src/modules/emails/delivery/renderers.ts: A rendering thread dropped a content that it was just sent',
    'src/modules/emails/source/source.ts: A rendering thread dropped a content that it was just sent',
    'src/modules/filters/language.ts: ${filter.field} asks the context of an execution, which contacts do not have',
    'src/modules/oauth/provider.ts: The response is larger than',
    'src/modules/platform/project.ts: PLATFORM_PROJECT_ID must be set in production',
    'src/modules/workflows/executions/start.ts: The enabled workflow',
    'src/modules/workflows/steps/wait-for-event.ts: The step',
  ]
  const thrown = parsed
    .filter(({ path }) => path.startsWith('src/modules/'))
    .flatMap(({ path, node }) =>
      all(node, (part) => ts.isNewExpression(part) && plainErrors.test(part.expression.getText())).map(
        (part) => `${path}: ${firstText(part)}`,
      ),
    )
  expect(thrown.filter((one) => !bugs.some((bug) => one.startsWith(bug)))).toEqual([])
  expect(bugs.filter((bug) => !thrown.some((one) => one.startsWith(bug)))).toEqual([])
})

test('what a file exports says what it promises', () => {
  const silent = parsed.flatMap(({ path, node }) => {
    const exported = node.statements.filter(isExported)
    // A type has the name, and the text, of the shape it is inferred from; a function with overloads says it once.
    const described = new Set(exported.filter(isDescribed).flatMap(namesOf))
    return exported.flatMap(namesOf).flatMap((name) => (described.has(name) ? [] : [`${path}: ${name}`]))
  })
  expect(silent).toEqual([])
})

test('what is stored in place of secrets, or encrypted, is named in no field of GraphQL', () => {
  const columns = sources('prisma/schema', /\.prisma$/).flatMap(({ text }) =>
    [...text.matchAll(/^ {2}(\w*(?:hash|sealed)\w*) /gim)].map(([, name]) => name ?? ''),
  )
  expect(columns).toEqual(expect.arrayContaining(['dkimSealed', 'passwordHash', 'sealed', 'hash']))
  const isColumn = (node: ts.Node) => (ts.isIdentifier(node) || ts.isStringLiteral(node)) && columns.includes(node.text)
  expect(
    found(
      adapters.filter(({ path }) => path.endsWith('/graphql.ts')),
      isColumn,
    ),
  ).toEqual([])
})

function firstText(made: ts.Node): string {
  const [text] = ts.isNewExpression(made) ? (made.arguments ?? []) : []
  return text?.getText().slice(1) ?? ''
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function isDescribed(statement: ts.Statement): boolean {
  return ts.getJSDocCommentsAndTags(statement).length > 0
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name.getText())
  const { name } = statement as ts.DeclarationStatement
  return name ? [name.getText()] : []
}
