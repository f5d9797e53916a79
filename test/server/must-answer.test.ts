import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { writeJson } from '../../src/server/large-answers.ts'
import { asker } from '../help/ask.ts'
import { sendingProject } from '../help/mails.ts'
import { occupyWriting } from '../help/occupied.ts'
import { testServer } from '../help/server.ts'
import { holdUnreadOf } from '../help/unread.ts'

const { url, world, call } = await testServer({ running: true })
const text = 'x'.repeat(70_000)
const to = Array.from({ length: 600 }, (_, at) => `${at}@example.com`)
const email = { from: 'hi@demo.test', subject: 'Hi', body: '<p>Hi</p>' }

/** Who have 33 MB unread, so that no large answer is read for their key or their address. */
const readers = {
  key: (projectId: string) => ({ projectId, address: '192.0.2.9' }),
  address: () => ({ projectId: 'prj_other', address: '127.0.0.1' }),
}

describe.each(['key', 'address'] as const)(
  'a call that changes something is answered with what it has done while its %s has 32 MB unread:',
  (whose) => {
    async function withUnread() {
      const project = await sendingProject(world)
      const held = holdUnreadOf(world, { ...readers[whose](project.projectId), bytes: 33 * 1024 * 1024 })
      onTestFinished(held.release)
      return project
    }

    test('a contact with much data, over REST; to read it is refused', async () => {
      const { secret: key } = await withUnread()
      const { status, body } = await call('POST /contacts', { email: 'ada@example.com', data: { text } }, { key })
      expect([status, body.data]).toEqual([201, { text }])
      expect((await call(`GET /contacts/${body.id}`, undefined, { key })).status).toBe(503)
      expect((await call(`PATCH /contacts/${body.id}`, { data: { plan: 'pro' } }, { key })).body.data).toEqual({ text, plan: 'pro' })
    })

    test('emails to 600, once, over REST', async () => {
      const { ctx, projectId, secret: key } = await withUnread()
      const { status, body } = await call('POST /v1/send', { ...email, to }, { key })
      expect([status, body.data?.emails.length]).toEqual([200, 600])
      expect(await ctx.db.prisma.email.count({ where: { projectId } })).toBe(600)
    })

    test('over GraphQL, with what the mutation selects of it', async () => {
      const { secret } = await withUnread()
      const create = 'mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id body } } }'
      const input = { name: 'Large', subject: 'Hi', from: 'hi@demo.test', body: `<p>${text}</p>` }
      const created = await asker(url, secret)(create, { input })
      expect([created.errors, created.data]).toMatchObject([[], { createTemplate: { template: { body: input.body } } }])
      const { id } = (created.data as unknown as { createTemplate: { template: { id: string } } }).createTemplate.template
      const duplicate = 'mutation ($input: DuplicateTemplateInput!) { duplicateTemplate(input: $input) { template { body } } }'
      const copied = await asker(url, secret)(duplicate, { input: { id } })
      expect([copied.errors, copied.data]).toEqual([[], { duplicateTemplate: { template: { body: input.body } } }])
      const read = await asker(url, secret)(`{ template(id: "${id}") { body } }`)
      expect(read.errors[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE')
    })
  },
)

test('a large answer that says what was done waits for its turn as long as it takes, and one that was only read 15 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const callers = ['prj_one', 'prj_two'].map((projectId) =>
    callIn(world, { projectId, actor: { kind: 'key', key: 'SECRET', projectDisabled: false } }),
  )
  const releases = callers.map(occupyWriting)
  const value = { text: 'x'.repeat(300_000) }
  const [done, read] = callers.map((ctx, at) =>
    writeJson({ ...ctx, ...(at === 1 && { readSince: performance.now() }) }, () => new AbortController().signal, value),
  )
  const refused = expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  vi.advanceTimersByTime(15_000)
  await refused
  for (const release of releases) await release()
  expect(String(await done)).toBe(JSON.stringify(value))
})

test('a large answer is not behind the whole of one that others are written', async () => {
  const other = callIn(world, { projectId: 'prj_other', actor: { kind: 'key', key: 'SECRET', projectDisabled: false } })
  const release = occupyWriting(other)
  const own = { ...callIn(world, { projectId: 'prj_own' }), readSince: performance.now() }
  const value = { text: 'x'.repeat(300_000) }
  expect(String(await writeJson(own, () => new AbortController().signal, value))).toBe(JSON.stringify(value))
  await release()
})

test('how large the data of an item is that many are sent is found once', async () => {
  const ctx = callIn(world, { projectId: 'prj_item' })
  const read = vi.fn(() => Array.from({ length: 30_000 }, () => ({})))
  const data = Object.defineProperty({}, 'list', { enumerable: true, get: read })
  const readsOf = async (): Promise<number> => {
    const before = read.mock.calls.length
    await writeJson(ctx, () => new AbortController().signal, { data })
    return read.mock.calls.length - before
  }
  const first = await readsOf()
  expect(await readsOf()).toBe(first - 1)
})
