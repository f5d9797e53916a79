import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { freshFolder } from '../../help/folder.ts'
import { root } from '../../help/sources.ts'

// The package carries a program for each platform and exports the path of the one for this platform.
const require = createRequire(import.meta.url)
const compiler = require('relay-compiler') as string | null

/** What an application with Relay asks, by the name of its document; Relay wants each in a file of that name. */
const documents: Record<string, string> = {
  // A list that loads more at its end: usePaginationFragment.
  ContactList_query: `
    fragment ContactList_query on Query
    @refetchable(queryName: "ContactListPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 20 }, cursor: { type: "String" }) {
      contacts(first: $count, after: $cursor, filter: { subscribed: true }) @connection(key: "ContactList_contacts") {
        totalCount
        edges { node { id email subscribed } }
      }
    }`,
  // A list of one object, which the compiler asks for again with node(id:).
  ContactEvents_contact: `
    fragment ContactEvents_contact on Contact
    @refetchable(queryName: "ContactEventsPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
      events(first: $count, after: $cursor) @connection(key: "ContactEvents_events") { edges { node { id name createdAt } } }
    }`,
  // A list that grows at its beginning.
  EmailHistory_query: `
    fragment EmailHistory_query on Query
    @refetchable(queryName: "EmailHistoryPaginationQuery")
    @argumentDefinitions(count: { type: "Int", defaultValue: 10 }, cursor: { type: "String" }) {
      emails(last: $count, before: $cursor) @connection(key: "EmailHistory_emails") { edges { node { id subject status } } }
    }`,
  ContactListPageQuery: 'query ContactListPageQuery { ...ContactList_query ...EmailHistory_query }',
  ContactPageQuery: `
    query ContactPageQuery($id: ID!) {
      node(id: $id) { __typename ... on Contact { email ...ContactEvents_contact @alias(as: "list") } ... on Segment { name memberCount } }
    }`,
  NodesQuery: 'query NodesQuery($ids: [ID!]!) { nodes(ids: $ids) { id ... on Email { subject status } } }',
  AddContactMutation: `
    mutation AddContactMutation($input: UpsertContactInput!, $connections: [ID!]!) {
      upsertContact(input: $input) { created contact @appendNode(connections: $connections, edgeTypeName: "ContactEdge") { id email } }
    }`,
  DuplicateTemplateMutation: `
    mutation DuplicateTemplateMutation($input: DuplicateTemplateInput!, $connections: [ID!]!) {
      duplicateTemplate(input: $input) { template @prependNode(connections: $connections, edgeTypeName: "TemplateEdge") { id name } }
    }`,
  RemoveContactMutation: `
    mutation RemoveContactMutation($input: DeleteContactInput!) {
      deleteContact(input: $input) { deletedContactId @deleteRecord }
    }`,
  RemoveSegmentMutation: `
    mutation RemoveSegmentMutation($input: DeleteSegmentInput!, $connections: [ID!]!) {
      deleteSegment(input: $input) { deletedSegmentId @deleteEdge(connections: $connections) }
    }`,
  FeedSubscription: `
    subscription FeedSubscription($after: String) {
      activity(after: $after) { cursor type timestamp contact { id email } email { id subject } }
    }`,
  ProgressSubscription: `
    subscription ProgressSubscription($id: ID!) { campaignProgress(id: $id) { id status stats { sentCount openedCount } } }`,
}

/** Compiles documents against schema.graphql, or a variant of it, in a folder of their own. */
async function compile(asked: Record<string, string>, change = (schema: string) => schema): Promise<{ output: string; files: string[] }> {
  expect(compiler, `relay-compiler has no program for ${process.platform} ${process.arch}`).not.toBeNull()
  const folder = await freshFolder()
  await writeFile(join(folder, 'schema.graphql'), change(await readFile(join(root, 'schema.graphql'), 'utf8')))
  await writeFile(join(folder, 'package.json'), '{}')
  const settings = { src: '.', schema: './schema.graphql', language: 'typescript' }
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(settings))
  for (const [name, text] of Object.entries(asked))
    await writeFile(join(folder, `${name.split('_')[0]}.ts`), `import { graphql } from 'react-relay'\ngraphql\`${text}\`\n`)
  const env = { PATH: process.env.PATH }
  const ran = await promisify(execFile)(compiler as string, ['relay.config.json'], { cwd: folder, env }).catch((error: unknown) => error)
  const { stdout, stderr } = ran as { stdout: string; stderr: string }
  const files = await readdir(join(folder, '__generated__')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return { output: `${stdout}${stderr}${ran instanceof Error ? ran.message : ''}`, files: files.sort() }
}

describe('relay-compiler', () => {
  test('compiles pages, nodes, mutations that change lists, and subscriptions against schema.graphql', async () => {
    const { output, files } = await compile(documents)
    expect(output).not.toMatch(/\[ERROR\]|Command failed/)
    const made = [...Object.keys(documents), 'ContactListPaginationQuery', 'ContactEventsPaginationQuery', 'EmailHistoryPaginationQuery']
    expect(files).toEqual(made.map((name) => `${name}.graphql.ts`).sort())
  })

  test('would refuse a page whose list has no hasNextPage, and an edge type that does not exist', async () => {
    const list = { ContactList_query: documents.ContactList_query as string }
    const without = await compile(list, (schema) => schema.replace(/"""[^"]*"""\n {2}hasNextPage: Boolean!\n/, ''))
    expect([without.output, without.files]).toEqual([expect.stringContaining('hasNextPage'), []])
    const add = (documents.AddContactMutation as string).replace('ContactEdge', 'PersonEdge')
    const unknown = await compile({ AddContactMutation: add })
    expect([unknown.output, unknown.files]).toEqual([expect.stringContaining('PersonEdge'), []])
  })
})
