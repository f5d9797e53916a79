import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { waitOutside } from '../../../src/kit/outside.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { asker } from '../../help/ask.ts'
import { testDns } from '../../help/dns.ts'
import { bearer, connect } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const dns = await testDns()
const { url, world, call } = await testServer({ env: { DNS_SERVERS: dns.address } })
dns.break('slow.example', 'silence')

const large = '{ contacts(first: 100) { nodes { emails(first: 10) { nodes { id } } } } }'

/** A project with domains whose DNS servers do not answer, and a mutation that looks all of them up. */
async function withSlowDomains(count: number) {
  const { secret, projectId } = await freshProject(world)
  const name = projectId.slice(-8)
  const ids = await Promise.all(
    Array.from({ length: count }, async (_, nth) => {
      const { body } = await call('POST /domains', { domain: `d${nth}.${name}.slow.example` }, { key: secret })
      return body.id as string
    }),
  )
  const fields = ids.map((id, nth) => `d${nth}: verifyDomain(input: { id: "${id}" }) { domain { id } }`)
  const isAsked = (nth: number) => dns.questions.some((question) => question.includes(`d${nth}.${name}.`))
  const isChecked = async (nth: number) => {
    const { checkedAt } = await world.db.prisma.domain.findFirstOrThrow({ where: { projectId, domain: `d${nth}.${name}.slow.example` } })
    return checkedAt !== null
  }
  return { secret, mutation: `mutation { ${fields.join(' ')} }`, isAsked, isChecked }
}

function send(secret: string, query: string): AbortController {
  const leaving = new AbortController()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${secret}` }
  void fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }), signal: leaving.signal }).catch(() => undefined)
  return leaving
}

describe('an operation that waits for DNS', () => {
  test('holds no turn of large operations meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 5 }, () => withSlowDomains(6)))
    const callers = slow.map(({ secret, mutation }) => send(secret, mutation))
    await until(async () => slow.every(({ isAsked }) => isAsked(0)))
    const reply = await asker(url, (await freshProject(world)).secret)(large)
    expect([reply.errors, (reply.extensions.cost?.requested ?? 0) > 250]).toEqual([[], true])
    expect(slow.some(({ isAsked }) => isAsked(5))).toBe(false)
    for (const caller of callers) caller.abort()
  })

  test.each(['HTTP', 'a websocket'])('ends when its caller has left, over %s', async (how) => {
    const { secret, mutation, isAsked, isChecked } = await withSlowDomains(3)
    const leave = how === 'HTTP' ? send(secret, mutation) : connect(url, bearer(secret)).client
    if (!(leave instanceof AbortController)) leave.subscribe({ query: mutation }, { next() {}, error() {}, complete() {} })
    await until(async () => isAsked(0))
    if (leave instanceof AbortController) leave.abort()
    else leave.terminate()
    await until(() => isChecked(0))
    for (let nth = 0; nth < 20; nth++) await call('GET /contacts', undefined, { key: secret })
    expect(isAsked(1)).toBe(false)
  })

  test('must not cost much besides', async () => {
    const { secret } = await freshProject(world)
    const { status, errors } = await asker(url, secret)(`{ checkEmail(email: "ada@slow.example") { valid } ${large.slice(1)}`)
    expect([status, errors[0]?.extensions.code, errors[0]?.message]).toEqual([400, 'BAD_REQUEST', expect.stringContaining('checkEmail')])
    expect(dns.questions.some((question) => question.endsWith(' slow.example'))).toBe(false)
  })
})

test('an operation that waits until mail is withheld must not cost much besides, so that it never holds a turn of large operations', async () => {
  const { secret, ctx } = await freshProject(world)
  const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
  const withdraw = (selection: string) => {
    const fields = Array.from(
      { length: 10 },
      (_, n) => `a${n}: updateContact(input: { id: "${id}", subscribed: false }) { contact { ${selection} } }`,
    )
    return asker(url, secret)(`mutation { ${fields.join(' ')} }`)
  }
  const { errors } = await withdraw('events(first: 30) { nodes { id } }')
  expect([errors[0]?.extensions.code, errors[0]?.message]).toEqual(['BAD_REQUEST', expect.stringContaining('beside updateContact')])
  const { errors: none, extensions } = await withdraw('email data')
  expect([none, (extensions.cost?.requested ?? 0) < 250]).toEqual([[], true])
})

test('of one account, a limited number of calls waits for something outside at a time; others do not wait for them', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  const held = Promise.withResolvers<void>()
  const ctx = callIn(world, { projectId: mine.projectId, account: 'usr_busy' })
  let began = 0
  const calls = Array.from({ length: 30 }, () =>
    waitOutside(ctx, async () => {
      began++
      await held.promise
    }),
  )
  await waitOutside(callIn(world, { projectId: other.projectId, account: 'usr_other' }), async () => undefined)
  expect(began).toBe(10)
  held.resolve()
  await Promise.all(calls)
  expect(began).toBe(30)
})
