import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configs, parser, rules } from '@graphql-eslint/eslint-plugin'
import { ESLint } from 'eslint'
import { describe, expect, test } from 'vitest'
import { root } from '../../help/sources.ts'

const path = join(root, 'schema.graphql')
const prefix = '@graphql-eslint/'

/** Rules that do not fit this schema, and why. */
const off: Record<string, string> = {
  alphabetize: 'the file is generated in the order of the package graphql, which compares capital letters otherwise',
  'no-root-type': 'it is for schemas without mutations or subscriptions',
  'require-field-of-type-query-in-mutation-result':
    'a payload holds what the mutation changed; a second query in it would be a way around the limits of depth and cost',
  'require-nullable-result-in-root': 'a failure is in `errors`, so that what cannot be absent is not nullable either (conventions.test.ts)',
  'strict-id-in-types': 'payloads, pages, statistics and settings have no identity',
}

/** Rules that are stricter or laxer here. */
const adapted: Record<string, object> = {
  // Connections have `nodes` beside `edges`, and lists that cannot grow are plain (conventions.test.ts).
  'relay-edge-types': { withEdgeSuffix: true, shouldImplementNode: true, listTypeCanWrapOnlyEdgeType: false },
}

/** What the rules find and what stays as it is, by rule and line, with the reason. */
const accepted: Record<string, string> = {
  'no-typename-prefix domain: String!': 'the documented name of the field; `name` would be another word for the same thing',
  'no-typename-prefix invoicePdf: String': 'the documented name of the field',
  'no-typename-prefix invoices: [Invoice!]!':
    'the type is the answer of a list that the payment provider keeps, with `unpaidInvoices` beside it',
  'no-unreachable-types enum ErrorCode {': 'the values of `extensions.code`, which no type of GraphQL describes',
  'relay-edge-types type ActivityEdge {': 'a line of the feed is asked for by its cursor',
  'relay-edge-types type CampaignRecipientEdge {': 'the pair of a campaign and a contact, which are nodes',
  'relay-edge-types type ContactFieldEdge {': 'a field is asked for by its name',
  'relay-edge-types type MemberEdge {': 'the pair of a project and a person, which are nodes',
  'relay-edge-types type SuppressionEdge {': 'an entry is asked for by its address',
  'relay-edge-types type WorkflowFieldEdge {': 'a field is asked for by its name',
  'relay-edge-types type WorkflowStepEdge {': 'a step is read and changed with its workflow, which is a node',
}

const ruleSets = { ...configs['flat/schema-all'].rules, ...configs['flat/schema-relay'].rules }
const ours = Object.fromEntries([
  ...Object.keys(off).map((name) => [prefix + name, 'off']),
  ...Object.entries(adapted).map(([name, options]) => [prefix + name, ['error', options]]),
])

/** What the linter finds in a schema, as rule and line. */
async function lint(text: string): Promise<string[]> {
  const eslint = new ESLint({
    cwd: root,
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.graphql'],
      languageOptions: { parser, parserOptions: { graphQLConfig: { schema: path } } },
      // Its types are those of an older ESLint.
      plugins: { '@graphql-eslint': { rules } as unknown as ESLint.Plugin },
      rules: { ...ruleSets, ...ours },
    },
  })
  const [result] = await eslint.lintText(text, { filePath: path })
  const lines = text.split('\n')
  return (result?.messages ?? []).map(({ ruleId, line, message }) => {
    if (ruleId === null) return message
    return `${ruleId.replace(prefix, '')} ${lines[line - 1]?.trim()}`
  })
}

describe('schema.graphql under @graphql-eslint', async () => {
  const text = await readFile(path, 'utf8')

  test('has nothing that the rules for schemas and for Relay find, but for what is accepted with a reason', async () => {
    expect((await lint(text)).sort()).toEqual(Object.keys(accepted).sort())
  })

  test('is really read: a field in another spelling and a page without cursors are found', async () => {
    const broken = text
      .replace(/(type Contact implements Node {)/, '$1\n  """A field."""\n  Odd_name: Int\n')
      .replace(/(type PageInfo {[^}]*)endCursor: String\n/, '$1lastCursor: String\n')
    const found = await lint(broken)
    expect(found).toContain('naming-convention Odd_name: Int')
    expect(found.filter((one) => one.startsWith('relay-page-info'))).not.toEqual([])
  })

  test('is checked by every rule of the sets that is not switched off here', () => {
    const names = Object.keys(ruleSets).map((name) => name.replace(prefix, ''))
    expect(names.length).toBeGreaterThan(25)
    expect([...Object.keys(off), ...Object.keys(adapted)].filter((name) => !names.includes(name))).toEqual([])
  })
})
