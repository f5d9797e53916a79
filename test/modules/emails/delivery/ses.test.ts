import { expect, test } from 'vitest'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { sesTwin } from '../../../help/ses.ts'
import { snsTwin } from '../../../help/sns.ts'

const ses = await sesTwin()
const sns = snsTwin()
const { url, world } = await testServer({ env: { ...ses.env, ...sns.env } })

test('an email is sent with SES, signed by us without the fields that SES replaces, and what SES reports finds it by its tags', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx, { bcc: ['grace@example.com'] })
  await turnAndSweep(world, 0)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1 })
  const [sent] = ses.accepted.splice(0)
  expect(sent).toMatchObject({ from: 'hello@demo.test', to: ['ada@example.com', 'grace@example.com'], configurationSet: 'postwire' })
  expect(sent?.raw).not.toContain('grace@example.com')
  const signed = /^DKIM-Signature: .*?\bh=([^;]+);/s
    .exec(sent?.raw ?? '')?.[1]
    ?.replace(/\s/g, '')
    .split(':')
  expect(signed).toEqual(expect.arrayContaining(['from', 'to', 'subject', 'mime-version']))
  expect(signed).not.toEqual(expect.arrayContaining(['date']))
  expect(signed).not.toEqual(expect.arrayContaining(['message-id']))
  const tags = Object.fromEntries(Object.entries(sent?.tags ?? {}).map(([name, value]) => [name, [value]]))
  const mail = { timestamp: world.clock.now().toISOString(), messageId: 'ses-1', tags }
  const delivery = { timestamp: world.clock.now().toISOString(), recipients: ['ada@example.com'] }
  const body = sns.notification(world.clock, { eventType: 'Delivery', mail, delivery })
  expect((await callAt(url, 'POST /webhooks/sns', body)).status).toBe(200)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'DELIVERED' })
  expect(await world.db.prisma.event.count({ where: { projectId, name: 'email.delivery' } })).toBe(1)
})

test('an email that SES refuses fails with its sentence; what it defers is sent later', async () => {
  const { ctx } = await sendingProject(world)
  const refused = await accept(ctx)
  ses.trouble = { status: 400, code: 'MessageRejected', message: 'Email address is not verified.' }
  await turnAndSweep(world, 0)
  expect(await getEmail(ctx, refused)).toMatchObject({
    status: 'FAILED',
    reason: 'Amazon SES refused it: MessageRejected: Email address is not verified.',
  })
  const deferred = await accept(ctx)
  ses.trouble = { status: 429, code: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' }
  await turnAndSweep(world, 0)
  expect(await getEmail(ctx, deferred)).toMatchObject({ status: 'PENDING', attempts: 0, reason: expect.stringContaining('rate exceeded') })
  ses.trouble = null
  await turnAndSweep(world, 2_000)
  expect(await getEmail(ctx, deferred)).toMatchObject({ status: 'SENT', attempts: 1 })
  expect(ses.accepted).toHaveLength(1)
})

test('an email with more addresses than SES takes is refused when it is accepted', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const copies = (count: number, name = 'copy') => Array.from({ length: count }, (_, n) => `${name}${n}@example.com`)
  await expect(accept(ctx, { cc: copies(25), bcc: copies(25, 'hidden') })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'cc', message: expect.stringContaining('at most 49') }],
  })
  expect(await world.db.prisma.email.count({ where: { projectId } })).toBe(0)
  await accept(ctx, { cc: copies(49), bcc: copies(1) })
})
