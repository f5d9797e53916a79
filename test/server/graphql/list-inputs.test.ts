import { type GraphQLInputType, getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import { expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { schema } from '../../../src/server/graphql/schema.ts'
import { asker } from '../../help/ask.ts'
import { sendingProject } from '../../help/mails.ts'
import { fewestQueriesOf, ofCalls } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { drawn, step } from '../../help/workflows.ts'

// A list that a caller sends is worked on as a whole: with a statement for each item, a call would take as long as it likes.
const { url, world } = await testServer()
const { ctx, secret } = await sendingProject(world)
const ask = asker(url, secret)
const [few, many] = [2, 10]

const segment = await createSegment(ctx, { name: 'Members', type: 'STATIC' })
const workflow = await drawn(ctx)
const steps = await Promise.all(Array.from({ length: many }, () => step(ctx, workflow, { type: 'EXIT' })))
const contacts = await Promise.all(Array.from({ length: many }, (_, n) => upsertContact(ctx, { email: `known${n}@example.com` })))

let made = 0
const listOf = (count: number, item: (n: number) => string): string => `[${Array.from({ length: count }, (_, n) => item(n)).join(', ')}]`
const freshEmails = (count: number) => listOf(count, () => `"new${++made}@example.com"`)
const knownIds = (count: number) => listOf(count, (n) => `"${contacts[n]?.id}"`)
const names = (count: number) => listOf(count, () => `"n${++made}"`)
const addresses = (count: number) => listOf(count, () => `{ email: "to${++made}@example.com" }`)
const sent = (more: string, to = '[{ email: "ada@example.com" }]') =>
  `mutation { sendEmail(input: { to: ${to}, from: { email: "hi@demo.test" }, subject: "Hi", body: "<p>Hi</p>", ${more} }) { timestamp } }`
const bulk = (name: string, more: string) => `mutation { ${name}(input: { ${more} }) { job { id } } }`
const ofAll = (count: number) => `filter: { subscribed: true }, excludedContactIds: ${knownIds(count)}`
const groups = (count: number) => listOf(count, () => '{ filters: [{ field: "email", operator: EQUALS, value: "ada@example.com" }] }')

/** A call with so many items in a list, by the path of the list. */
const calls: Record<string, (count: number) => string> = {
  'addSegmentMembers.input.emails': (count) =>
    `mutation { addSegmentMembers(input: { id: "${segment.id}", emails: ${freshEmails(count)}, createMissing: true }) { added } }`,
  'bulkDeleteContacts.input.contactIds': (count) => bulk('bulkDeleteContacts', `contactIds: ${names(count)}`),
  'bulkDeleteContacts.input.excludedContactIds': (count) => bulk('bulkDeleteContacts', ofAll(count)),
  'bulkSubscribeContacts.input.contactIds': (count) => bulk('bulkSubscribeContacts', `contactIds: ${knownIds(count)}`),
  'bulkSubscribeContacts.input.excludedContactIds': (count) => bulk('bulkSubscribeContacts', ofAll(count)),
  'bulkUnsubscribeContacts.input.contactIds': (count) => bulk('bulkUnsubscribeContacts', `contactIds: ${knownIds(count)}`),
  'bulkUnsubscribeContacts.input.excludedContactIds': (count) => bulk('bulkUnsubscribeContacts', ofAll(count)),
  'conditionExplanation.condition.groups': (count) =>
    `{ conditionExplanation(contactId: "${contacts[0]?.id}", condition: { logic: AND, groups: ${groups(count)} }) { matches } }`,
  'contactLookup.emails': (count) => `{ contactLookup(emails: ${freshEmails(count)}) { notFound } }`,
  'createWorkflow.input.exitEvents': (count) =>
    `mutation { createWorkflow(input: { name: "w", exitEvents: ${names(count)} }) { workflow { id } } }`,
  'moveWorkflowSteps.input.positions': (count) =>
    `mutation { moveWorkflowSteps(input: { workflowId: "${workflow.id}", positions: ${listOf(count, (n) => `{ stepId: "${steps[n]?.id}", position: { x: ${++made}, y: 0 } }`)} }) { workflow { id } } }`,
  'nodes.ids': (count) => `{ nodes(ids: ${knownIds(count)}) { id } }`,
  'removeSegmentMembers.input.emails': (count) =>
    `mutation { removeSegmentMembers(input: { id: "${segment.id}", emails: ${freshEmails(count)} }) { removed } }`,
  'sendEmail.input.attachments': (count) =>
    sent(`attachments: ${listOf(count, (n) => `{ filename: "${n}.txt", content: "aGVsbG8=", contentType: "text/plain" }`)}`),
  'sendEmail.input.bcc': (count) => sent(`bcc: ${addresses(count)}`),
  'sendEmail.input.cc': (count) => sent(`cc: ${addresses(count)}`),
  'sendEmail.input.headers': (count) => sent(`headers: ${listOf(count, (n) => `{ name: "X-${n}", value: "a" }`)}`),
  'sendEmail.input.tags': (count) => sent(`tags: ${names(count)}`),
  'sendEmail.input.to': (count) => sent('', addresses(count)),
  'suppressAddresses.input.emails': (count) => `mutation { suppressAddresses(input: { emails: ${freshEmails(count)} }) { added } }`,
  'updateWorkflow.input.exitEvents': (count) =>
    `mutation { updateWorkflow(input: { id: "${workflow.id}", exitEvents: ${names(count)} }) { workflow { id } } }`,
}

const isList = (type: GraphQLInputType) => isListType(isNonNullType(type) ? type.ofType : type) && !isEnumType(getNamedType(type))

/** Every list of texts, ids or objects that a caller may send, as far as the arguments and the fields of their inputs. */
const lists = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).flatMap(({ name, args }) =>
    args.flatMap((arg) => {
      const input = getNamedType(arg.type)
      const fields = isInputObjectType(input) ? Object.values(input.getFields()).filter(({ type }) => isList(type)) : []
      return [...(isList(arg.type) ? [`${name}.${arg.name}`] : []), ...fields.map((field) => `${name}.${arg.name}.${field.name}`)]
    }),
  ),
)

test('every list that a caller sends has a call here', () => {
  expect(Object.keys(calls)).toEqual(lists.toSorted())
})

test.each(Object.entries(calls))('%s takes no statement more for every item', async (_path, callWith) => {
  const statements = async (count: number) => {
    const { reply, queries } = await fewestQueriesOf(async () => {
      // A project may have 20 that wait.
      await world.db.prisma.job.deleteMany({ where: { projectId: ctx.projectId } })
      return ask(callWith(count))
    }, ofCalls)
    expect(reply.errors).toEqual([])
    return queries
  }
  // A notice may be sent for one of them alone, or for both together.
  expect((await statements(many)) - (await statements(few))).toBeLessThan((many - few) / 2)
})
