import { buildSchema, execute, parse, subscribe } from 'graphql'
import { expect, test, vi } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { limitAnswers } from '../../../src/server/graphql/answer-bytes.ts'
import { asker } from '../../help/ask.ts'
import { logEvents } from '../../help/lines.ts'
import { bearer, connect, openStream, watching } from '../../help/live.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const megabyte = 1024 * 1024
const tooLarge = { code: 'PAYLOAD_TOO_LARGE', statusCode: 413, suggestion: expect.stringContaining('fewer items') }

test('bodies of templates are read up to 4 MB at once, one of any size, and only when they are asked for', async () => {
  const { projectId, secret } = await freshProject(world)
  const body = 'x'.repeat(1.5 * megabyte)
  const common = {
    projectId,
    name: 'Large',
    subject: 'x',
    from: 'a@demo.test',
    type: 'MARKETING' as const,
    createdAt: new Date(),
    updatedAt: new Date(),
  }
  for (let at = 0; at < 10; at++)
    await world.db.prisma.template.create({ data: { ...common, id: `tpl_${String(at).padStart(26, '0')}`, body } })
  const ask = asker(url, secret)
  const list = (first: number, fields: string) =>
    ask<{ templates: { nodes: { body?: string | null }[] } }>(`{ templates(first: ${first}) { nodes { ${fields} } } }`)
  const few = await list(2, 'body')
  expect(few.data?.templates.nodes.map((node) => node.body?.length)).toEqual(Array(2).fill(1.5 * megabyte))
  expect((await list(10, 'id name')).data?.templates.nodes.length).toBe(10)
  const many = await list(3, 'id body')
  const bodies = many.data?.templates.nodes.map(({ body }) => body?.length ?? null)
  expect(bodies?.filter((length) => length !== null)).toEqual(Array(2).fill(1.5 * megabyte))
  expect([bodies?.length, many.errors]).toEqual([3, [expect.objectContaining({ extensions: expect.objectContaining(tooLarge) })]])
  const largest = `tpl_${'9'.padStart(26, '0')}`
  await world.db.prisma.template.update({ where: { projectId_id: { projectId, id: largest } }, data: { body: 'x'.repeat(5 * megabyte) } })
  const one = await ask<{ template: { body: string } }>(`{ template(id: "${largest}") { body } }`)
  expect([one.errors, one.data?.template.body.length]).toEqual([[], 5 * megabyte])
})

test('a value that is repeated by aliases counts each time', async () => {
  const { projectId, secret } = await freshProject(world)
  const now = new Date()
  const data = { text: 'x'.repeat(100_000) }
  await world.db.prisma.contact.createMany({
    data: Array.from({ length: 30 }, (_, at) => ({
      projectId,
      id: `cnt_${String(at).padStart(26, '0')}`,
      email: `c${at}@example.com`,
      subscribed: true,
      data,
      createdAt: now,
      updatedAt: now,
    })),
  })
  const times = (count: number) => Array.from({ length: count }, (_, at) => `a${at}: data`).join(' ')
  const ask = asker(url, secret)
  expect((await ask(`{ contacts(first: 30) { nodes { ${times(5)} } } }`)).errors).toEqual([])
  expect((await ask(`{ contacts(first: 30) { nodes { ${times(12)} } } }`)).errors).toMatchObject([{ extensions: tooLarge }])
})

test('a mutation whose answer is too large is done: the path of the error leads below it', async () => {
  const { projectId, secret } = await sendingProject(world)
  const input = { name: 'Large', subject: 'x', from: 'hello@demo.test', body: 'x'.repeat(4 * megabyte) }
  const aliases = Array.from({ length: 10 }, (_, at) => `a${at}: body`).join(' ')
  const query = `mutation ($input: CreateTemplateInput!) { made: createTemplate(input: $input) { template { ${aliases} } } }`
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables: { input } }) })
  const [error] = ((await answer.json()) as { errors: unknown[] }).errors
  expect(error).toMatchObject({ path: ['made', 'template', expect.stringMatching(/^a\d$/)], extensions: tooLarge })
  expect(await world.db.prisma.template.count({ where: { projectId } })).toBe(1)
})

test('of a subscription the values of one event count', async () => {
  const schema = limitAnswers(
    buildSchema('scalar JSON type Item { data: JSON } type Query { item: Item } type Subscription { item: Item }'),
  )
  const item = { data: 'x'.repeat(7 * megabyte) }
  const contextValue = {} as Ctx
  async function* items() {
    for (let at = 0; at < 3; at++) yield { item }
  }
  const document = parse('subscription { item { data } }')
  const results = await subscribe({ schema, document, rootValue: { item: items }, contextValue })
  const lengths: unknown[] = []
  for await (const { data } of results as AsyncIterable<{ data: { item: { data: string } } }>) lengths.push(data.item.data.length)
  expect(lengths).toEqual([7 * megabyte, 7 * megabyte, 7 * megabyte])
  const five = '{ item { a: data b: data c: data d: data e: data } }'
  const many = await execute({ schema, document: parse(five), rootValue: { item }, contextValue: {} as Ctx })
  expect(many.errors).toMatchObject([{ message: 'The answer would be larger than 32 MB.' }])
})

test('an event of a subscription that would be larger than 8 MB is an error of its own, and the stream goes on', async () => {
  const { projectId, secret } = await freshProject(world)
  const aliases = Array.from({ length: 10 }, (_, at) => `a${at}: data`).join(' ')
  const stream = await openStream(url, `subscription { activity { event { name ${aliases} } } }`, bearer(secret))
  await until(async () => (await watching(world)) === 1)
  await logEvents(world, projectId, [{ name: 'large', data: { text: 'x'.repeat(900_000) } }])
  await until(async () => stream.text().includes('The answer would be larger than 8 MB.'))
  await logEvents(world, projectId, [{ name: 'small', data: { text: 'x' } }])
  await until(async () => stream.text().includes('"name":"small"'))
})

test('texts count as they are written: characters that JSON escapes take two bytes, or six', async () => {
  const schema = limitAnswers(buildSchema('scalar JSON type Query { data: JSON }'))
  const asked = (data: unknown) => execute({ schema, document: parse('{ data }'), rootValue: { data }, contextValue: {} as Ctx })
  for (const [text, times] of [
    ['"', 2],
    ['\\', 2],
    ['\n', 2],
    ['\u0001', 6],
    ['é', 2],
  ] as const) {
    const most = Math.floor((32 * megabyte) / times)
    const errors = await Promise.all([most, most + 1].map(async (count) => (await asked(text.repeat(count))).errors?.length ?? 0))
    expect([text, errors]).toEqual([text, [0, 1]])
  }
})

test.each(['application/json', 'application/graphql-response+json', 'text/event-stream', 'multipart/mixed'])(
  'a large answer is whole as %s',
  async (accept) => {
    const { ctx, secret } = await freshProject(world)
    const text = 'x'.repeat(100_000)
    await upsertContact(ctx, { email: 'large@example.com', data: { text } })
    const headers = { accept, authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: '{ contacts(first: 1) { nodes { data } } }' })
    const stringify = vi.spyOn(JSON, 'stringify')
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
    const sent = await answer.text()
    const atOnce = stringify.mock.results.filter(({ value }) => String(value).length > 50_000)
    stringify.mockRestore()
    expect([answer.status, answer.headers.get('content-type')?.split(';')[0], atOnce]).toEqual([200, accept, []])
    const result = JSON.stringify({ data: { contacts: { nodes: [{ data: { text } }] } } })
    const [before, after = ''] = sent.split(result.slice(0, -1))
    expect([before, after.replace(/^,"extensions":.*?\}\}\}|^\}/, '')]).toEqual(formOf(accept, sent))
  },
)

/** What is written around an answer. */
function formOf(accept: string, sent: string): [string, string] {
  if (accept === 'text/event-stream') return [':\n\nevent: next\ndata: ', '\n\nevent: complete\ndata:\n\n']
  if (accept !== 'multipart/mixed') return ['', '']
  const bytes = sent.length - sent.indexOf('{') - '\r\n-----\r\n'.length
  return [`\r\n---\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${bytes}\r\n\r\n`, '\r\n-----\r\n']
}

test('a large answer over a websocket is whole, also beside others on the same socket', async () => {
  const { ctx, secret } = await freshProject(world)
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(400_000 / 4))
  for (const [at, text] of texts.entries()) await upsertContact(ctx, { email: `large${at}@example.com`, data: { text } })
  const { client } = connect(url, bearer(secret))
  const ask = (search: string) =>
    new Promise<unknown>((resolve, reject) => {
      const query = `{ contacts(first: 3, filter: { search: "${search}" }) { nodes { data } } }`
      client.subscribe({ query }, { next: ({ data }) => resolve(data), error: reject, complete: () => undefined })
    })
  const answers = await Promise.all([ask('large0'), ask('large1'), ask('nobody'), ask('large')])
  const nodes = (...expected: string[]) => ({ contacts: { nodes: expected.map((text) => ({ data: { text } })) } })
  const [a = '', b = '', c = ''] = texts
  expect(answers.map((answer) => JSON.stringify(answer))).toEqual(
    [nodes(a), nodes(b), nodes(), nodes(c, b, a)].map((one) => JSON.stringify(one)),
  )
})
