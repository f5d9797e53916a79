import { expect, test } from 'vitest'
import { reserveMemory } from '../../../../src/modules/emails/delivery/memory.ts'
import type { ClaimedEmail } from '../../../../src/modules/emails/queue/claim.ts'
import type { Lane } from '../../../../src/modules/emails/shapes.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const large = { contentBytes: 6_850_000, bodyBytes: 6_850_000, contactData: {} }

/** Lets emails use memory for a moment each, all at once; returns how many have ended and the most that had memory at a time. */
function run(contentIds: string[], email: Partial<ClaimedEmail> = large) {
  const counts = { ended: 0, inUse: 0, most: 0 }
  const attempt = async (contentId: string): Promise<void> => {
    // Of an email only what the budgets look at.
    const giveBack = await reserveMemory(world, { ...email, account: 'acc_1', projectId: 'prj_1', contentId } as ClaimedEmail)
    counts.most = Math.max(counts.most, ++counts.inUse)
    await new Promise((resolve) => setImmediate(resolve))
    counts.inUse--
    counts.ended++
    giveBack()
  }
  for (const contentId of contentIds) void attempt(contentId)
  return counts
}

test('custom data that was not read yet counts: 600 contacts with 128 KB each get memory in turn', async () => {
  const all = Array.from({ length: 600 }, () => 'two')
  const counts = run(all, { contentBytes: 1_000, bodyBytes: 500, contactData: null, contactDataBytes: 131_072 })
  await until(async () => counts.ended === 600)
  expect(counts.most).toBeGreaterThan(10)
  expect(counts.most).toBeLessThan(130)
})

test('a content with large files and small bodies counts with its files: few of them are in memory at a time', async () => {
  const counts = run(
    Array.from({ length: 40 }, (_, n) => `files ${n}`),
    { contentBytes: 6_850_000, bodyBytes: 500, contactData: {} },
  )
  await until(async () => counts.ended === 40)
  expect(counts.most).toBeGreaterThan(1)
  expect(counts.most).toBeLessThan(20)
})

test.each([
  ['large', large],
  ['small', { contentBytes: 300_000, bodyBytes: 300_000, contactData: {} }],
])(
  'a %s transactional email does not wait for the memory that bulk emails have',
  async (_size, email) => {
    const reserve = (lane: Lane, contentId: string) =>
      reserveMemory(world, { ...email, lane, account: 'acc_1', projectId: 'prj_1', contentId } as ClaimedEmail)
    let bulk = 0
    const waiting = Array.from({ length: 100 }, (_, n) =>
      reserve(n % 2 ? 'campaign' : 'workflow', `bulk ${n}`).then((giveBack) => {
        bulk++
        return giveBack
      }),
    )
    const giveBack = await reserve('transactional', 'reset')
    expect(bulk).toBeGreaterThan(1)
    expect(bulk).toBeLessThan(100)
    giveBack()
    for (const one of waiting) (await one)()
  },
  5_000,
)

test.each([
  ['300 recipients of one large content', Array.from({ length: 300 }, () => 'one')],
  ['40 large contents with 10 recipients each', Array.from({ length: 400 }, (_, n) => `${n % 40}`)],
  ['the recipients of 40 large contents, one content after the other', Array.from({ length: 400 }, (_, n) => `${Math.floor(n / 10)}`)],
])('%s get memory in turn, few at a time', async (_who, contentIds) => {
  const counts = run(contentIds)
  await until(async () => counts.ended === contentIds.length)
  expect(counts.most).toBeGreaterThan(1)
  expect(counts.most).toBeLessThan(20)
})

test.each([
  ['large', large],
  ['small', { contentBytes: 100_000, bodyBytes: 200_000, contactData: {} }],
])(
  'an account whose %s emails keep their memory, as the mail server takes long, leaves enough to the others, in all of its projects',
  async (_size, email) => {
    const reserve = (account: string, projectId: string, contentId: string) =>
      reserveMemory(world, { ...email, lane: 'transactional', account, projectId, contentId } as ClaimedEmail)
    const kept: Promise<() => void>[] = Array.from({ length: 100 }, (_, n) => reserve('slow', `prj_slow${n % 3}`, `slow ${n}`))
    for (let n = 0; n < 10; n++) (await reserve('quick', 'prj_quick', `quick ${n}`))()
    for (const one of kept) (await one)()
  },
  5_000,
)
