import { describe, expect, test } from 'vitest'
import { settleEmail } from '../../../../src/modules/emails/delivery/settle.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { failWrites } from '../../../help/exhausted.ts'
import { type Holder, holder } from '../../../help/holder.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { until } from '../../../help/until.ts'
import { claim } from '../../../help/workers.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

async function claimedEmails(count: number) {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { to: Array.from({ length: count }, (_, n) => `to${n}@example.com`) })
  return (await claim(world, projectId)).map((email) => ({ ctx, id: email.id, email }))
}

async function claimedEmail() {
  const [one] = await claimedEmails(1)
  if (!one) throw new Error('not claimed')
  return one
}

async function lockOf(id: string): Promise<Holder> {
  const lock = await holder(world)
  await lock.run('select from emails where id = $1 for update', [id])
  return lock
}

test('a refusal that waits for the record of a bounce is not logged as another one', async () => {
  const { ctx, id, email } = await claimedEmail()
  const lock = await holder(world)
  await lock.run(`update emails set status = 'BOUNCED', bounced_at = $2, reason = 'reported' where id = $1`, [id, world.clock.now()])
  const waiting = settleEmail(world, email, { kind: 'BOUNCED', reason: '550 5.1.1 no such user' })
  await lock.waitedFor()
  await lock.commit()
  expect(await waiting).toBe(true)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'BOUNCED', reason: 'reported' })
  expect(await logOf(ctx)).toEqual([])
})

test('an outcome for which the disk of Postgres is full is recorded with its reason as soon as there is room', async () => {
  const { ctx, id, email } = await claimedEmail()
  const failed = await failWrites(world, { table: 'emails', when: `new.id = '${id}'`, state: '53100', times: 2 })
  expect(await settleEmail(world, email, { kind: 'FAILED', reason: '554 blocked' })).toBe(true)
  expect(await failed()).toBe(2)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', reason: '554 blocked' })
  expect((await logOf(ctx)).map(({ name, data }) => [name, data.reason])).toEqual([['email.failed', '554 blocked']])
})

describe('an outcome whose email is locked by somebody else', () => {
  test('waits alone: those of its project and of others are recorded meanwhile, and it keeps its reason', async () => {
    const [locked, beside] = await claimedEmails(2)
    if (!locked || !beside) throw new Error('not claimed')
    const elsewhere = await claimedEmail()
    const lock = await lockOf(locked.id)
    const waiting = settleEmail(world, locked.email, { kind: 'FAILED', reason: '554 blocked' })
    expect(await settleEmail(world, beside.email, { kind: 'FAILED', reason: 'no route' })).toBe(true)
    await lock.waitedFor()
    expect(await settleEmail(world, elsewhere.email, { kind: 'SENT' })).toBe(true)
    expect(await getEmail(beside.ctx, beside)).toMatchObject({ status: 'FAILED', reason: 'no route' })
    expect(await getEmail(locked.ctx, locked)).toMatchObject({ status: 'SENDING', reason: null })
    await lock.commit()
    expect(await waiting).toBe(true)
    expect(await getEmail(locked.ctx, locked)).toMatchObject({ status: 'FAILED', reason: '554 blocked' })
    const reasons = (await logOf(locked.ctx)).map(({ data }) => data.reason)
    expect(reasons.toSorted()).toEqual(['554 blocked', 'no route'])
  })

  test('keeps its reason when the lock lasts longer than a transaction may, and is recorded afterwards', async () => {
    // These options replace those of the product, so that nothing else ends a statement.
    const url = new URL(world.databaseUrl)
    url.searchParams.set('options', '-c transaction_timeout=1000')
    const hasty = await testWorld({ databaseUrl: url.href })
    const { ctx, id, email } = await claimedEmail()
    const lock = await lockOf(id)
    const waiting = settleEmail(hasty, email, { kind: 'BOUNCED', reason: '550 5.1.1 no such user' })
    const first = await lock.waitedFor()
    await until(async () => (await lock.waitedFor()) !== first)
    await lock.commit()
    expect(await waiting).toBe(true)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'BOUNCED', reason: '550 5.1.1 no such user' })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['email.bounce'])
  })
})
