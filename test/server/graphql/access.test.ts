import { type GraphQLField, type GraphQLResolveInfo, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import type { Access } from '../../../src/kit/access.ts'
import { callIn } from '../../../src/kit/context.ts'
import { accessOf } from '../../../src/kit/field-access.ts'
import { schema } from '../../../src/server/graphql/schema.ts'
import { asker } from '../../help/ask.ts'
import { freshUser } from '../../help/people.ts'
import { sample } from '../../help/sample.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// Every field that declares its access, as every kind of caller.
const { call, url, world } = await testServer({ worker: true })

type Field = GraphQLField<unknown, unknown>
const fieldsOf = (type: string): [string, Field][] => {
  const found = schema.getType(type)
  return isObjectType(found) ? Object.entries(found.getFields()) : []
}
const declaredOf = (type: string) => fieldsOf(type).filter(([, field]) => accessOf(field))

const callers = ['nobody', 'public', 'secret', 'foreign secret', 'member', 'admin', 'owner', 'stranger'] as const
type Caller = (typeof callers)[number]
const refusals = ['MISSING_AUTH', 'INVALID_API_KEY', 'UNAUTHORIZED', 'FORBIDDEN', 'PROJECT_ACCESS_DENIED']

/** The expected result for a caller; a stranger names the project by X-Project-Id, or (`byId`) by its id. */
function verdictOf(access: Access, caller: Caller, byId: boolean): string {
  if (caller === 'public') return 'INVALID_API_KEY'
  if (access === 'none') return 'accepted'
  if (caller === 'nobody') return 'MISSING_AUTH'
  const isKey = caller === 'secret' || caller === 'foreign secret'
  if (access === 'user') return isKey ? 'UNAUTHORIZED' : 'accepted'
  if (caller === 'stranger' && !byId) return 'PROJECT_ACCESS_DENIED'
  if (access === 'admin session' && isKey) return 'FORBIDDEN'
  if (byId && (caller === 'stranger' || caller === 'foreign secret')) return 'RESOURCE_NOT_FOUND'
  return access !== 'secret' && caller === 'member' ? 'FORBIDDEN' : 'accepted'
}

async function credentials(caller: Caller, byId: boolean) {
  const project = await freshProject(world)
  const { projectId } = project
  const chosen: Record<string, string> = byId ? {} : { 'x-project-id': projectId }
  const nothing: Record<string, string> = {}
  if (caller === 'nobody') return { project, headers: nothing }
  const foreign = await freshProject(world)
  const key = { public: project.public, secret: project.secret, 'foreign secret': foreign.secret }[caller as string]
  if (key !== undefined) return { project: caller === 'foreign secret' ? foreign : project, named: projectId, headers: bearer(key) }
  const role = caller === 'stranger' ? 'OWNER' : (caller.toUpperCase() as 'MEMBER' | 'ADMIN' | 'OWNER')
  const member = { projectId: caller === 'stranger' ? foreign.projectId : projectId, role }
  const { cookie } = await freshUser(world, { member })
  return { project, headers: { cookie, ...chosen } }
}

// Queries change nothing, so that all are asked as the same callers.
const readers = new Map<string, ReturnType<typeof credentials>>()
async function reader(caller: Caller, byId: boolean) {
  const name = `${caller} ${byId}`
  const known = readers.get(name) ?? credentials(caller, byId)
  readers.set(name, known)
  return known
}

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

function actual(codes: string[], expected: string): string {
  const [code = ''] = codes
  if (code === 'INTERNAL_SERVER_ERROR') return code
  return refusals.includes(code) || expected === 'RESOURCE_NOT_FOUND' ? code : 'accepted'
}

describe.each([
  ['query', declaredOf('Query')],
  ['mutation', declaredOf('Mutation')],
] as const)('every %s', (operation, fields) => {
  test.each(fields)('%s accepts exactly the callers of its access', async (name, field) => {
    const { who = 'none', project: byId } = accessOf(field) ?? {}
    for (const caller of callers) {
      const {
        project,
        named = project.projectId,
        headers,
      } = await (operation === 'query' ? reader : credentials)(caller, byId !== undefined)
      const { errors } = await asker(url)(`${operation} { ${sample(name, field, named)} }`, {}, headers)
      const expected = verdictOf(who, caller, byId !== undefined)
      expect([caller, actual(codesOf(errors), expected)]).toEqual([caller, expected])
    }
  })
})

const codesOf = (errors: { extensions: { code: string } }[]) => errors.map(({ extensions }) => extensions.code)

test('every query, mutation and subscription declares its access', () => {
  const all = ['Query', 'Mutation', 'Subscription'].flatMap(fieldsOf)
  expect(all.filter(([, field]) => !accessOf(field)).map(([name]) => name)).toEqual([])
  expect(all.length).toBeGreaterThan(50)
})

describe('every subscription', () => {
  test.each(declaredOf('Subscription'))('%s accepts exactly the callers of its access', async (name, field) => {
    for (const caller of callers) {
      const { project, headers } = await credentials(caller, false)
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: `subscription { ${sample(name, field, '')} }` }),
      })
      // An accepted caller receives this event.
      await call('POST /v1/track', { email: 'ada@example.com', event: 'seen' }, { key: project.secret })
      const expected = verdictOf(accessOf(field)?.who ?? 'none', caller, false)
      expect([caller, actual([await firstOf(response)], expected)]).toEqual([caller, expected])
    }
  })
})

test.each(fieldsOf('Subscription'))(
  'the subscription %s checks its caller itself, not only the operation it is in',
  async (name, field) => {
    const subscribe = async () => field.subscribe?.(undefined, {}, callIn(world), {} as GraphQLResolveInfo)
    await expect(subscribe(), name).rejects.toMatchObject({ code: 'MISSING_AUTH' })
  },
)

async function firstOf(response: Response): Promise<string> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const code = /"code":"(\w+)"/.exec(text)?.[1]
    if (code) return code
    if (text.includes('"data":{')) return 'accepted'
  }
  return text
}

describe('a field of Project', () => {
  test.each(declaredOf('Project'))('%s accepts exactly the callers of its access, by the role in that project', async (name, field) => {
    const who = accessOf(field)?.who ?? 'none'
    const document = (id: string) => `{ project(id: "${id}") { ${sample(name, field, '')} } }`
    for (const caller of callers) {
      const { project, named = project.projectId, headers } = await credentials(caller, true)
      const { errors } = await asker(url)(document(named), {}, headers)
      const expected = verdictOf(who, caller, true)
      expect([caller, actual(codesOf(errors), expected)]).toEqual([caller, expected])
    }
    const [one, two] = [await freshProject(world), await freshProject(world)]
    const member = [
      { projectId: one.projectId, role: 'OWNER' as const },
      { projectId: two.projectId, role: 'MEMBER' as const },
    ]
    const { cookie } = await freshUser(world, { member })
    const headers = { cookie, 'x-project-id': one.projectId }
    const both = [one, two].map(({ projectId }) => asker(url)(document(projectId), {}, headers))
    const verdicts = (await Promise.all(both)).map(({ errors }) => actual(codesOf(errors), ''))
    expect(verdicts).toEqual(['accepted', verdictOf(who, 'member', false)])
  })
})
