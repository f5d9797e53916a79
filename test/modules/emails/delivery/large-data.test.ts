import { expect, test } from 'vitest'
import { readContactData } from '../../../../src/modules/emails/delivery/sql.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { claimEmails } from '../../../../src/modules/emails/queue/claim.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

async function claimedOf(projectId: string) {
  const [claimed] = await claimEmails(world, 'transactional', [{ projectId, after: '', want: 10 }])
  return claimed?.emails[0]
}

test.each([
  ['that Postgres compressed', { word: 'a'.repeat(100_000) }, 131_072],
  ['of more than 4 KB', { word: Array.from({ length: 900 }, (_, n) => (n * 7919) % 65_521).join(' ') }, 4_500],
])('custom data %s is not read by a claim, but when the email is rendered', async (what, data, bytes) => {
  const { ctx, projectId } = await sendingProject(world)
  // As it was stored before it was no longer compressed.
  const storage = what === 'that Postgres compressed' ? 'extended' : 'external'
  await world.db.prisma.$executeRawUnsafe(`alter table contacts alter column data set storage ${storage}`)
  const { contactId } = await accept(ctx, { data })
  const claimed = await claimedOf(projectId)
  expect(claimed).toMatchObject({ contactId, contactData: null })
  expect(claimed?.contactDataBytes).toBeGreaterThanOrEqual(bytes)
})

test('an email is rendered with data that was read later, as JSON, which only the thread that renders it parses', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const data = { words: Array.from({ length: 9_000 }, (_, n) => `word ${n}`), last: 'the end' }
  const { id, contactId } = await accept(ctx, { data, subject: '{{ data.words | size }} words to {{ last }}' })
  expect(await world.db.run(readContactData, [[projectId], [contactId]])).toEqual([
    { id: contactId, data: expect.stringContaining('"word 1"') },
  ])
  await deliverEmails(world, { turns: [[projectId, 'transactional']] })
  await deliveryIdle(world)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', subject: '9000 words to the end' })
})

test('small data is read with the claim', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { data: { name: 'Ada' } })
  expect(await claimedOf(projectId)).toMatchObject({ contactData: { name: 'Ada' } })
})

test('the size of a content is stored with it: its bodies, the data of its call, its files', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const file = { filename: 'a.bin', content: Buffer.alloc(1_000_000).toString('base64'), contentType: 'application/octet-stream' }
  await accept(ctx, { data: { once: { value: 'x'.repeat(50_000), persistent: false } }, attachments: [file] })
  expect((await claimedOf(projectId))?.contentBytes).toBeGreaterThan(1_370_000 + 500_000)
})

test('a call may have 1 MB of data, stored or not', async () => {
  const { ctx } = await sendingProject(world)
  const once = (length: number) => ({ data: { once: { value: 'x'.repeat(length), persistent: false } } })
  await accept(ctx, once(1_000_000))
  await expect(accept(ctx, once(1_100_000))).rejects.toThrow('must be at most 1 MB as JSON')
})
