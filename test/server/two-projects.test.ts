import { type GraphQLField, isLeafType, isNonNullType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { isWriteRoute, type Route } from '../../src/kit/route.ts'
import { schema } from '../../src/server/graphql/schema.ts'
import { routes } from '../../src/server/routes.ts'
import { asker } from '../help/ask.ts'
import { freshFolder } from '../help/folder.ts'
import { type Field, type Listed, leavesOf, listed, nodeOf, selectionOf, typeOf } from '../help/listed.ts'
import { type MarkedProject, markedProject } from '../help/marked.ts'
import { type CallOptions, testServer } from '../help/server.ts'
import { fakeStripe } from '../help/stripe.ts'

// Two projects on one server ask the same, one after the other and at the same time: whatever calls share is shared within a project.
const stripe = await fakeStripe()
const { call, url, world } = await testServer({ env: { ...stripe.env, DATA_DIR: await freshFolder() } })
// The second one has more of what is counted.
const [first, second] = [await markedProject(world, 'alphaproject', 1), await markedProject(world, 'betaproject', 2)]

// Projects of tests have the same domain.
const shared = first.own.filter((word) => second.own.includes(word))
/** The words of one of the projects that stand in a text. */
const wordsIn = (text: string, { own }: MarkedProject) => own.filter((word) => text.includes(word) && !shared.includes(word))

const hint = 'what is stored between calls, or looked up for several at once, needs the project in its key'
const hasFigures = (text: string) => /:[1-9][\d.]*[,}\]]/.test(text)

/** What is wrong when both projects ask the same: that one sees something of the other, or not its own, or the figures of the other. */
async function wrongIn(at: string, ask: (project: MarkedProject) => Promise<string>): Promise<string[]> {
  // What one of them has asked before may be stored; what both ask now may be looked up once.
  await ask(first)
  const [ofFirst, ofSecond] = await Promise.all([ask(first), ask(second)])
  const foreign = [...wordsIn(ofSecond, first), ...wordsIn(ofFirst, second)]
  const [sees, also] = [wordsIn(ofFirst, first).length > 0, wordsIn(ofSecond, second).length > 0]
  return [
    ...(foreign.length > 0 ? [`${at} shows things of another project (${hint}): ${foreign.join()}`] : []),
    ...(sees === also ? [] : [`${at} shows one project its own things, and the other one not (${hint})`]),
    ...(ofFirst === ofSecond && hasFigures(ofFirst)
      ? [`${at} answers both projects with the same figures (${hint}): ${ofFirst.slice(0, 300)}`]
      : []),
  ]
}

describe('of REST', () => {
  const rows = routes.filter((route) => !isWriteRoute(route) && route.access !== 'none')
  const callerOf = ({ access }: Route, { owner, secret }: MarkedProject): CallOptions => (access === 'user' ? owner : { key: secret })

  /** The path of a row, with values of the project: ids by the noun before them. */
  function pathOf({ path, projectIn }: Route, { projectId, given }: MarkedProject): string {
    const { cnt, eml, seg, tpl, cmp, wfl, dom, exe, eventName, field } = given
    const byNoun: Record<string, string | undefined> = {
      ...{ contacts: cnt, emails: eml, segments: seg, templates: tpl, campaigns: cmp, workflows: wfl, domains: dom },
    }
    const byName: Record<string, string | undefined> = {
      ...{ contactId: cnt, executionId: exe, jobId: path.includes('bulk') ? given.bulk : given.import, projectId, eventName, field },
      ...(projectIn && { [projectIn]: projectId }),
    }
    return path.replaceAll(/:(\w+)/g, (_, name: string) => byName[name] ?? byNoun[path.split('/')[1] ?? ''] ?? '')
  }

  test('every row that reads answers a project with its own things only', async () => {
    const wrong: string[] = []
    for (const route of rows) {
      const at = `${route.method} ${route.path}`
      const ask = async (project: MarkedProject) => {
        const { status, body } = await call(`GET ${pathOf(route, project)}`, undefined, callerOf(route, project))
        expect([status, body?.error], at).toEqual([200, undefined])
        return JSON.stringify(body)
      }
      wrong.push(...(await wrongIn(at, ask)))
    }
    expect(rows.length).toBeGreaterThan(50)
    expect(wrong).toEqual([])
  })
})

describe('of GraphQL', () => {
  const tooDear = 'points of cost'

  /** Asks for a project; fails where the operation costs too much at once. */
  const asks =
    (query: string) =>
    async ({ secret, projectId, owner }: MarkedProject) => {
      const as: Record<string, string> = query.startsWith('{ viewer')
        ? { cookie: owner.cookie, 'x-project-id': projectId }
        : { authorization: `Bearer ${secret}` }
      const { data, errors } = await asker(url)(query, {}, as)
      const messages = errors.map(({ message }) => message)
      if (messages.some((message) => message.includes(tooDear))) throw new Error(tooDear)
      expect(messages, query).toEqual([])
      return JSON.stringify(data)
    }

  /** The same of some fields of a kind, in as few operations as they may cost. */
  async function wrongOf({ type, query }: Pick<Listed, 'type' | 'query'>, fields: Field[], inside = leavesOf): Promise<string[]> {
    const at = `${type.name}: ${fields.map(({ name }) => name).join(' ')}`
    const text = query(`__typename ${fields.map((field) => selectionOf(field, 2, inside(nodeOf(typeOf(field))))).join(' ')}`)
    try {
      return await wrongIn(at, asks(text))
    } catch (error) {
      if (!(error instanceof Error && error.message === tooDear)) throw error
      if (fields.length === 1) return wrongOf({ type, query }, fields, () => '__typename')
      const half = fields.length >> 1
      return [...(await wrongOf({ type, query }, fields.slice(0, half))), ...(await wrongOf({ type, query }, fields.slice(half)))]
    }
  }

  test('every kind of objects that queries lead to, with what they lead to themselves, is of the project that asks', async () => {
    const wrong: string[] = []
    const ofProjects = listed(3).filter(({ type }) => type.name !== 'Configuration')
    for (const kind of ofProjects) wrong.push(...(await wrongOf(kind, kind.fields)))
    expect(wrong).toEqual([])
  })

  const isDear = ({ args, extensions }: Field) => Number(extensions.cost) > 1 && args.every(({ type }) => !isNonNullType(type))

  test('so is what says what it costs', async () => {
    const wrong: string[] = []
    for (const kind of listed(1))
      for (const field of Object.values(kind.type.getFields()).filter(isDear)) wrong.push(...(await wrongOf(kind, [field])))
    expect(wrong).toEqual([])
  })

  /** The arguments that queries require, for a project. */
  const required: Record<string, (given: MarkedProject['given']) => string> = {
    audiencePreview: () => 'input: { audienceType: ALL }',
    campaign: ({ cmp }) => `id: "${cmp}"`,
    conditionExplanation: ({ cnt, field }) =>
      `contactId: "${cnt}", condition: { logic: AND, groups: [{ filters: [{ field: "data.${field}", operator: EXISTS }] }] }`,
    contact: ({ cnt }) => `id: "${cnt}"`,
    contactFieldValues: () => 'field: "shared", limit: 10',
    contactLookup: ({ email }) => `emails: ["${email}"]`,
    domain: ({ dom }) => `id: "${dom}"`,
    email: ({ eml }) => `id: "${eml}"`,
    emailTotals: () => 'timezone: "UTC"',
    eventUsage: () => 'name: "signed-up"',
    job: ({ bulk }) => `id: "${bulk}"`,
    node: ({ cnt }) => `id: "${cnt}"`,
    nodes: ({ cnt, eml }) => `ids: ["${cnt}", "${eml}"]`,
    previewEmail: ({ cnt }) => `input: { contactId: "${cnt}", subject: "{{ email }}", body: "{{ email }}" }`,
    recentActivityCount: () => 'minutes: 60',
    segment: ({ seg }) => `id: "${seg}"`,
    suppression: ({ email }) => `email: "left-${email}"`,
    template: ({ tpl }) => `id: "${tpl}"`,
    timeseries: () => 'interval: DAY, timezone: "UTC"',
    topCampaigns: () => 'limit: 5, metric: OPEN_RATE, timezone: "UTC"',
    topEvents: () => 'limit: 5, tracked: true',
    upcomingActivity: () => 'limit: 5, daysAhead: 30',
    workflow: ({ wfl }) => `id: "${wfl}"`,
    workflowExecution: ({ exe }) => `id: "${exe}"`,
  }
  /** Queries that read nothing of a project, with what they read. */
  const others: Record<string, string> = {
    checkEmail: 'the address that it is given',
    checkImport: 'the file that it is given',
    config: 'the installation',
    invitation: 'the token that it is given',
  }

  test('so is the answer of every query, with the arguments that it requires: say them above, or what it reads that is of no project', async () => {
    const queries = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ name }) => !(name in others))
    const wrong: string[] = []
    for (const field of queries) {
      const needsArguments = field.args.some(({ type }) => isNonNullType(type))
      expect(!needsArguments || field.name in required, `say above which arguments Query.${field.name} is given`).toBe(true)
      const args = (project: MarkedProject) => (needsArguments ? `(${required[field.name]?.(project.given)})` : '')
      const ask = (project: MarkedProject) => asks(`{ ${withArguments(field, args(project))} }`)(project)
      wrong.push(...(await wrongIn(`Query.${field.name}`, ask)))
    }
    expect(wrong).toEqual([])
  })

  function withArguments(field: GraphQLField<unknown, unknown>, args: string): string {
    if (isLeafType(typeOf(field))) return `${field.name}${args}`
    if (args === '') return selectionOf(field, 5, leavesOf(nodeOf(typeOf(field))))
    return `${field.name}${args} { ${leavesOf(typeOf(field))} }`
  }
})
