import { expect, test } from 'vitest'
import { sources } from './help/sources.ts'

/** Statements that write a table of another module, with the reason. */
const exceptions: Record<string, string> = {
  'src/modules/contacts/sql.ts writes events':
    'a change of `subscribed` and its log line are one statement, on the hot path of track and send',
  'src/modules/contacts/sql.ts writes segment_members': 'a contact leaves its segments in the transaction that hides it',
  'src/modules/contacts/sql.ts writes segments': 'the counts of those segments follow in the same statement',
  'src/modules/emails/delivery/sql.ts writes events': 'settling an email and its log line are one statement, once per email',
  'src/modules/emails/feedback/sql.ts writes events': 'feedback of a provider and its log line are one statement, for every email',
  'src/modules/emails/inbound/sql.ts writes events': 'an email that came in, its contact, its log line and its usage are one statement',
  'src/modules/templates/sql.ts writes campaigns': 'a template leaves its campaigns in the transaction that deletes it',
  'src/modules/emails/tracking/sql.ts writes events':
    'an open or click is counted and logged in one statement, while a mail program waits for the pixel',
}

/** Statements made of SQL of another module, or erasers run for it, with the reason. */
const composed: Record<string, string> = {
  'src/modules/emails/sql.ts uses events': 'which outcomes count as sent, and as a bounce for good, is asked in one way everywhere',
  'src/modules/emails/erasure/sql.ts uses events':
    'an email is removed once all readers of the log have handled its lines, in the statement that looks',
  'src/modules/emails/sql.ts uses security': 'which addresses do not count in a reputation is asked in one way everywhere',
  'src/modules/segments/sql.ts uses filters': 'what asks a segment reads the filters of the conditions of campaigns',
  'src/modules/templates/sql.ts uses filters': 'whether executions are on a version of a workflow is asked in one way everywhere',
  'src/modules/segments/members/sql.ts uses filters': 'whether the members of a segment are stored is asked in one way everywhere',
  'src/modules/contacts/sql.ts uses filters': 'whether the members of a segment are stored is asked in one way everywhere',
  'src/modules/contacts/fields/sql.ts uses filters':
    'whether a field is still the one that is being removed is asked in one way everywhere',
  'src/modules/contacts/sql.ts uses idempotency': 'tracking an event stores its answer for a replay in the same statement',
  'src/modules/campaigns/counts/sql.ts uses events': 'a reader of the log counts a range of lines',
  'src/modules/campaigns/counts/sql.ts uses emails': 'what became of emails is counted in one way everywhere',
  'src/modules/analytics/sql.ts uses events': 'a reader of the log counts a range of lines',
  'src/modules/analytics/sql.ts uses emails': 'what became of emails is counted in one way everywhere',
  'src/modules/analytics/sql.ts uses campaigns': 'the type of the counts of a campaign',
  'src/modules/workflows/triggers/sql.ts uses events': 'a reader of the log notes a range of lines',
  'src/modules/emails/accept/sql.ts uses billing': 'accepting an email counts it against the caps in the same statement',
  'src/modules/emails/queue/sql.ts uses contacts': 'who has opted out is asked in one way everywhere',
  'src/modules/emails/accept/sql.ts uses contacts': 'accepting an email writes its contact in the same statement',
  'src/modules/emails/accept/sql.ts uses idempotency': 'accepting an email stores its answer for a replay in the same statement',
  'src/modules/emails/inbound/sql.ts uses billing': 'an email that came in counts against the cap in the same statement',
  'src/modules/emails/inbound/sql.ts uses contacts': 'the sender of an email that came in becomes a contact in the same statement',
  'src/modules/emails/subscription/sql.ts uses contacts': 'a page asks whether its contact has opted out, by the rule of contacts',
  'src/modules/activity/sql.ts uses events': 'the feed reads the log by the conditions of the log',
  'src/modules/security/sql.ts uses events': 'a reader of the log counts a range of lines',
  'src/modules/resets/steps.ts uses others': 'a reset runs the erasers of all modules, in order',
  'src/modules/resets/resets.ts uses projects': 'the type of a locked project',
}

const schemas = sources('prisma/schema', /\.prisma$/)
const ownerOfModel = new Map<string, string>()
const ownerOfTable = new Map<string, string>()
for (const { path, text } of schemas) {
  const owner = path.replace(/^.*\/(\w+)\.prisma$/, '$1')
  for (const [, model = '', body = ''] of text.matchAll(/^model (\w+) \{(.*?)^\}/gms)) {
    ownerOfModel.set(model[0]?.toLowerCase() + model.slice(1), owner)
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1]
    if (table) ownerOfTable.set(table, owner)
  }
}

const ownerModules = new Set(sources('src/modules', /\.ts$/).map(({ path }) => path.split('/')[2] ?? ''))

const prismaWrite =
  /\.(\w+)\s*\.(?:create|createMany|createManyAndReturn|update|updateMany|updateManyAndReturn|upsert|delete|deleteMany)\(/g
const sqlWrite = /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?([a-z_]+)"?/gi

function writes(): { at: string; table: string; owner: string }[] {
  return sources('src/modules', /\.ts$/).flatMap(({ path, text }) => {
    const module = path.split('/')[2] ?? ''
    const models = [...text.matchAll(prismaWrite)].map(([, name = '']) => ({ table: name, owner: ownerOfModel.get(name) }))
    const tables = [...text.matchAll(sqlWrite)].map(([, name = '']) => ({ table: name, owner: ownerOfTable.get(name) }))
    const erased = [...text.matchAll(/\beraser(?:Of)?\('([a-z_]+)'/g)].map(([, name = '']) => ({
      table: name,
      owner: ownerOfTable.get(name),
    }))
    return [...models, ...tables, ...erased].flatMap(({ table, owner }) => (owner && owner !== module ? [{ at: path, table, owner }] : []))
  })
}

const foreign = [...new Set(writes().map(({ at, table }) => `${at} writes ${table}`))]

test('every table belongs to a module', () => {
  expect(ownerOfModel.size).toBeGreaterThan(15)
  expect(ownerOfTable.size).toBe(ownerOfModel.size)
})

test('a module writes its own tables only, except in the statements listed above', () => {
  expect(foreign.filter((write) => !(write in exceptions))).toEqual([])
})

test('SQL of another module is used only where listed above', () => {
  const used = sources('src/modules', /\.ts$/).flatMap(({ path, text }) => {
    const module = path.split('/')[2] ?? ''
    const names = [...text.matchAll(/from '(?:\.\.\/)+([a-z]+)\/(?:[a-z]+\/)?sql\.ts'/g)].map(([, name = '']) => name)
    const foreign = [...new Set(names)].filter((name) => ownerModules.has(name) && name !== module)
    return path.endsWith('resets/steps.ts') ? [`${path} uses others`] : foreign.map((name) => `${path} uses ${name}`)
  })
  expect(used.filter((use) => !(use in composed))).toEqual([])
  expect(Object.keys(composed).filter((use) => !used.includes(use))).toEqual([])
})

test('every exception is still needed', () => {
  expect(Object.keys(exceptions).filter((write) => !foreign.includes(write))).toEqual([])
})
