import { describe, expect, test } from 'vitest'
import { type InboundEmail, receiveEmail } from '../../../../src/modules/emails/inbound/receive.ts'
import { startJobs } from '../../../../src/modules/resets/jobs.ts'
import { resetProject } from '../../../../src/modules/resets/resets.ts'
import { failWrites } from '../../../help/exhausted.ts'
import { holder } from '../../../help/holder.ts'
import { sendingProject } from '../../../help/mails.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)
let count = 0

async function receivingProject(domain = `meanwhile${++count}.test`) {
  const project = await sendingProject(world)
  const { projectId } = project
  await world.db.prisma.domain.updateMany({ where: { projectId }, data: { domain } })
  const stored = () => world.db.prisma.email.count({ where: { projectId } })
  return { ...project, domain, stored }
}

const inbound = (recipients: string[], at = world.clock.now()): InboundEmail => ({
  providerId: `ses-${++count}`,
  at,
  source: 'ada@example.com',
  recipients,
  fromHeader: 'Ada <ada@example.com>',
  toHeader: recipients.join(', '),
  subject: 'A question',
  content: null,
  verdicts: {},
  processingTimeMillis: null,
})

const threeAt = (domain: string): string[] => ['one', 'two', 'three'].map((name) => `${name}@${domain}`)

test('an email that came in before its project was emptied is not stored afterwards, one that comes in later is', async () => {
  const { ctx, projectId, domain, stored } = await receivingProject()
  const cameIn = world.clock.now()
  world.clock.turn(1_000)
  await resetProject(ctx, { id: projectId })
  expect(await receiveEmail(world, inbound(threeAt(domain), cameIn))).toBe(0)
  world.clock.turn(1_000)
  expect(await receiveEmail(world, inbound(threeAt(domain)))).toBe(3)
  expect(await stored()).toBe(3)
})

describe('while an email to many addresses is being stored', () => {
  test.each([
    ['its domain is removed', (projectId: string) => world.db.prisma.domain.deleteMany({ where: { projectId } })],
    ['its project is suspended', (id: string) => world.db.prisma.project.update({ where: { id }, data: { disabled: true } })],
  ])('%s: nothing more is stored there, and all of it elsewhere', async (_what, change) => {
    const one = await receivingProject()
    const other = await receivingProject(one.domain)
    const held = await holder(world)
    await held.run('lock table emails in share mode')
    const receiving = receiveEmail(world, inbound(threeAt(one.domain)))
    await held.waitedFor()
    await change(one.projectId)
    await held.commit()
    expect(await receiving).toBe((await one.stored()) + 3)
    expect([await one.stored(), await other.stored()]).toEqual([1, 3])
  })

  test('the contacts of one of its projects are removed: it is stored in the others', async () => {
    const one = await receivingProject()
    const other = await receivingProject(one.domain)
    await failWrites(world, { table: 'emails', when: `new.project_id = '${one.projectId}'`, state: '23503' })
    expect(await receiveEmail(world, inbound(threeAt(one.domain)))).toBe(3)
    expect([await one.stored(), await other.stored()]).toEqual([0, 3])
  })
})

test('emails that come in for one project are stored one after the other, however many there are, and those of others beside them', async () => {
  const [one, other] = [await receivingProject(), await receivingProject()]
  let [most, running, ended] = [0, 0, 0]
  const order: number[] = []
  const run: typeof world.db.run = async (statement, values) => {
    if (statement.name !== 'emails_store_inbound' || !JSON.stringify(values).includes(one.projectId)) return world.db.run(statement, values)
    most = Math.max(most, ++running)
    try {
      return await world.db.run(statement, values)
    } finally {
      running--
      ended++
    }
  }
  const counting = { ...world, db: { ...world.db, run } }
  const many = Array.from({ length: 10 }, () => receiveEmail(counting, inbound(threeAt(one.domain))))
  const single = receiveEmail(counting, inbound([`one@${other.domain}`])).then(() => order.push(ended))
  await Promise.all([...many, single])
  expect(most).toBe(1)
  expect(order[0]).toBeLessThan(15)
  expect([await one.stored(), await other.stored()]).toEqual([30, 1])
})

test('what a provider says of an email is stored without what Postgres cannot store', async () => {
  const { domain, stored } = await receivingProject()
  const said = { verdicts: { spamVerdict: 'PA\0SS', virusVerdict: 'PASS\ud800' }, subject: 'A\0' }
  expect(await receiveEmail(world, { ...inbound([`one@${domain}`]), ...said, providerId: 'ses-\0-1' })).toBe(1)
  expect(await stored()).toBe(1)
})
