import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { writeRows } from '../../../../src/modules/contacts/import/write.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { addSegmentMembers } from '../../../../src/modules/segments/members/members.ts'
import { createSegment } from '../../../../src/modules/segments/segments.ts'
import { deleteSuppression, suppressAddress } from '../../../../src/modules/suppressions/suppressions.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { contactsOf, imported } from '../../../help/imports.ts'
import { accept, logOf, sendingProject, settled, turnAndSweep } from '../../../help/mails.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)

const email = 'ada@example.com'
const subscriptions = async (ctx: Ctx) =>
  Object.fromEntries(Object.entries(await contactsOf(ctx)).map(([address, { subscribed }]) => [address, subscribed]))
const importRow = (ctx: Ctx, cell: string) => imported(ctx, `email,subscribed\n${email},${cell}\n`)

test('an address that comes on the suppression list while an import runs is imported unsubscribed', async () => {
  const { ctx, projectId } = await freshProject(world)
  const rows = ['ada', 'bob'].map((name, line) => ({ email: `${name}@example.com`, subscribed: true, patch: { set: {}, types: {} }, line }))
  // After the rows have been read, and before they are written.
  await suppressAddress(ctx, { email, reason: 'BOUNCE' })
  await world.db.transaction((tx) => writeRows(tx, world, { projectId, rows }))
  expect(await subscriptions(ctx)).toEqual({ [email]: false, 'bob@example.com': true })
})

describe('a contact that an import creates unsubscribed', () => {
  test('has opted out: marketing emails are withheld, and nothing is logged', async () => {
    const { ctx } = await sendingProject(world)
    await importRow(ctx, 'no')
    expect(await logOf(ctx)).toEqual([])
    const { id: template } = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test', type: 'MARKETING' })
    const { id } = await accept(ctx, { to: email, template, subject: undefined, body: undefined, from: undefined })
    await turnAndSweep(world, 0)
    expect((await settled(ctx, id, 'SUPPRESSED')).reason).toBe('The contact has unsubscribed from marketing emails.')
  })

  test('is not subscribed by a later import', async () => {
    const { ctx } = await freshProject(world)
    await importRow(ctx, 'no')
    await importRow(ctx, 'yes')
    expect(await subscriptions(ctx)).toEqual({ [email]: false })
  })

  test('is subscribed by a call that says so, and has not opted out any more', async () => {
    const { ctx } = await freshProject(world)
    await importRow(ctx, 'no')
    const { id } = await upsertContact(ctx, { email, subscribed: true })
    await importRow(ctx, 'yes')
    expect(await subscriptions(ctx)).toEqual({ [email]: true })
    await deleteContact(ctx, { id })
    expect(await upsertContact(ctx, { email })).toMatchObject({ subscribed: true })
  })

  test('has opted out also when its address leaves the suppression list', async () => {
    const { ctx } = await freshProject(world)
    await suppressAddress(ctx, { email, reason: 'COMPLAINT' })
    await suppressAddress(ctx, { email: 'bob@example.com', reason: 'COMPLAINT' })
    const csv = `email,subscribed\n${email},no\nbob@example.com,yes\n`
    await imported(ctx, csv)
    await deleteSuppression(ctx, { email })
    await deleteSuppression(ctx, { email: 'bob@example.com' })
    await imported(ctx, csv.replace('no', 'yes'))
    expect(await subscriptions(ctx)).toEqual({ [email]: false, 'bob@example.com': true })
  })

  test.each<[string, (ctx: Ctx) => Promise<unknown>]>([
    ['track', (ctx) => trackEvent(ctx, { email, event: 'seen', subscribed: true })],
    ['POST /contacts', (ctx) => upsertContact(ctx, { email })],
    ['an import', (ctx) => importRow(ctx, 'yes')],
    [
      'a segment',
      async (ctx) => {
        const { id } = await createSegment(ctx, { name: 'Friends', type: 'STATIC' })
        await addSegmentMembers(ctx, { id, emails: [email], createMissing: true })
      },
    ],
  ])('starts unsubscribed when it is deleted and created again by %s', async (_by, create) => {
    const { ctx } = await freshProject(world)
    await importRow(ctx, 'no')
    const { id } = await upsertContact(ctx, { email })
    await deleteContact(ctx, { id })
    await create(ctx)
    expect(await subscriptions(ctx)).toEqual({ [email]: false })
  })
})

describe('a contact that was never subscribed', () => {
  test.each<[string, (ctx: Ctx) => Promise<unknown>]>([
    ['POST /v1/send', (ctx) => accept(ctx, { to: email })],
    ['POST /contacts', (ctx) => upsertContact(ctx, { email, subscribed: false })],
  ])('and that %s has made, has opted out once a row unsubscribes it: marketing emails are withheld', async (_by, create) => {
    const { ctx } = await sendingProject(world)
    await create(ctx)
    await importRow(ctx, 'no')
    const { id: template } = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test', type: 'MARKETING' })
    const { id } = await accept(ctx, { to: email, template, subject: undefined, body: undefined, from: undefined })
    await turnAndSweep(world, 0)
    expect((await settled(ctx, id, 'SUPPRESSED')).reason).toBe('The contact has unsubscribed from marketing emails.')
    await importRow(ctx, 'yes')
    expect(await subscriptions(ctx)).toEqual({ [email]: false })
  })

  test('is subscribed by a row that says so, unless one before it in the file unsubscribes it', async () => {
    const { ctx } = await freshProject(world)
    for (const address of [email, 'bob@example.com']) await upsertContact(ctx, { email: address, subscribed: false })
    await imported(ctx, `email,subscribed\n${email},no\n${email},yes\nbob@example.com,yes\n`)
    expect(await subscriptions(ctx)).toEqual({ [email]: false, 'bob@example.com': true })
  })
})

describe('a row that unsubscribes, before one of the same contact that subscribes', () => {
  const others = Array.from({ length: 1_000 }, (_, n) => `user${n}@example.com,`)

  test.each<[string, string[]]>([
    ['in the same chunk', []],
    ['in another chunk', others],
  ])('wins %s, whether the contact is new, was subscribed or never was', async (_where, between) => {
    const { ctx } = await freshProject(world)
    const never = 'never@example.com'
    await upsertContact(ctx, { email: 'old@example.com' })
    await upsertContact(ctx, { email: never, subscribed: false })
    const all = (cell: string) => [email, 'old@example.com', never].map((address) => `${address},${cell}`)
    const rows = [...all('no'), ...between, ...all('yes'), `${email},`]
    await imported(ctx, `email,subscribed\n${rows.join('\n')}\n`)
    expect(await subscriptions(ctx)).toMatchObject({ [email]: false, 'old@example.com': false, [never]: false })
    expect((await logOf(ctx)).map(({ name }) => name)).toEqual(['contact.unsubscribed'])
  })
})
