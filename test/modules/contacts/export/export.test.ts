import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { newId } from '../../../../src/kit/ids.ts'
import { deleteContact, updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { exportContacts } from '../../../../src/modules/contacts/export/export.ts'
import { exportContact } from '../../../../src/modules/contacts/export/person.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { finishReset, insertReset } from '../../../../src/modules/resets/sql.ts'
import { createSegment, deleteSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { suppressAddress } from '../../../../src/modules/suppressions/suppressions.ts'
import { contactsOf, imported } from '../../../help/imports.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)

async function csvOf(ctx: Ctx, search: Parameters<typeof exportContacts>[1] = {}): Promise<string> {
  return (await Array.fromAsync((await exportContacts(ctx, search)).pieces)).join('')
}
const personOf = async (ctx: Ctx, id: string) => JSON.parse((await Array.fromAsync((await exportContact(ctx, { id })).pieces)).join(''))

describe('exportContacts', () => {
  test('has address, subscription, times and every custom field, oldest contact first', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro', note: 'a "b", c\nd' } })
    await upsertContact(ctx, { email: 'bob@example.com', subscribed: false, data: { orders: 3 } })
    const at = world.clock.now().toISOString()
    expect(await csvOf(ctx)).toBe(
      `email,subscribed,createdAt,updatedAt,note,orders,plan\r\nada@example.com,true,${at},${at},"a ""b"", c\nd",,pro\r\nbob@example.com,false,${at},${at},,3,\r\n`,
    )
  })

  test('has the members of a segment as it was when the export began', async () => {
    const { ctx } = await freshProject(world)
    for (const name of ['ada', 'bob']) await upsertContact(ctx, { email: `${name}@example.com` })
    const named = (value: string) => ({ field: 'email', operator: 'contains', value }) as const
    const { id: segmentId } = await createSegment(ctx, { name: 'S', condition: named('ada') })
    const { pieces } = await exportContacts(ctx, { segmentId })
    await updateSegment(ctx, { id: segmentId, condition: named('bob') })
    expect((await Array.fromAsync(pieces)).join('')).toMatch(/^email.*\r\nada@example.com,.*\r\n$/)
  })

  test('ends with a failure when a segment was deleted that another one asks for: what is left of the condition is everybody', async () => {
    const { ctx } = await freshProject(world)
    for (const name of ['ada', 'bob']) await upsertContact(ctx, { email: `${name}@example.com` })
    const { id } = await createSegment(ctx, { name: 'S', condition: { field: 'email', operator: 'contains', value: 'ada' } })
    const { id: segmentId } = await createSegment(ctx, { name: 'T', condition: { field: `segment.${id}`, operator: 'notMemberOfSegment' } })
    const { pieces } = await exportContacts(ctx, { segmentId })
    await deleteSegment(ctx, { id })
    await expect(Array.fromAsync(pieces)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    await expect(exportContacts(ctx, { segmentId })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('has only contacts that match, none that is deleted, and none of another project', async () => {
    const { ctx } = await freshProject(world)
    const { ctx: other } = await freshProject(world)
    await upsertContact(other, { email: 'other@example.com' })
    for (const email of ['ada@a.test', 'bob@a.test', 'eve@b.test']) await upsertContact(ctx, { email, subscribed: email !== 'bob@a.test' })
    const { id } = await upsertContact(ctx, { email: 'gone@a.test' })
    await deleteContact(ctx, { id })
    const addresses = async (search: object) =>
      (await csvOf(ctx, search))
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0])
    expect(await addresses({})).toEqual(['ada@a.test', 'bob@a.test', 'eve@b.test'])
    expect(await addresses({ search: ' A.TEST', subscribed: true })).toEqual(['ada@a.test'])
    expect(await addresses({ search: '%' })).toEqual([])
  })

  test('imported again gives the same contacts, whatever their data', async () => {
    const { ctx } = await freshProject(world)
    const data = {
      text: 'a "b", c\nd; e\t',
      number: -1.5,
      small: 1e-7,
      yes: true,
      list: [1, 'a'],
      object: { a: { b: null } },
      formula: '=1+1',
      minus: '-1',
      at: '@x',
      digits: '123',
      code: '007',
      word: 'TRUE',
      quoted: "'=1",
      spaces: '  x  ',
      json: '[1]',
      date: '2026-01-31',
      ' spaced ': 1,
      '=key': 2,
      '12': 3,
      Email: 'x',
      createdAt: '2001-01-01',
      'data.x': 4,
      'a,b;c': 5,
      constructor: 6,
      wrapped: { value: { value: 8, persistent: true }, persistent: true },
    }
    await upsertContact(ctx, { email: 'ada@example.com', data })
    await upsertContact(ctx, { email: "'=x@example.com", subscribed: false, data: { text: 'ü' } })
    await upsertContact(ctx, { email: '=x@example.com', data: {} })
    const csv = await csvOf(ctx)
    const { ctx: empty } = await freshProject(world)
    expect((await imported(empty, csv)).result).toMatchObject({ createdCount: 3, failureCount: 0 })
    expect(await contactsOf(empty)).toEqual(await contactsOf(ctx))
    const stored = () => world.db.prisma.contact.findMany({ where: { projectId: ctx.projectId }, orderBy: { id: 'asc' } })
    const before = await stored()
    await imported(ctx, csv)
    // Whom a row says to be unsubscribed has opted out.
    const after = before.map((row) => (row.subscribed ? row : { ...row, optedOut: true, updatedAt: expect.any(Date) }))
    expect(await stored()).toEqual(after)
    const again = await stored()
    await imported(ctx, csv)
    expect(await stored()).toEqual(again)
  })

  test('reads batches by their size, also of large contacts, and each contact once', async () => {
    const { ctx } = await freshProject(world)
    for (let n = 0; n < 30; n++) await upsertContact(ctx, { email: `user${n}@example.com`, data: { text: 'x'.repeat(120_000) } })
    const lines = (await csvOf(ctx)).split('\r\n')
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(Array.from({ length: 30 }, (_, n) => `user${n}@example.com`))
  })

  test.each(['all', 'a segment'])('has of %s what existed when it began, also when it is read later', async (which) => {
    const { ctx } = await freshProject(world)
    const { id: segmentId } = await createSegment(ctx, {
      name: 'Subscribed',
      condition: { logic: 'AND', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] },
    })
    await upsertContact(ctx, { email: 'before@example.com' })
    const { pieces } = await exportContacts(ctx, which === 'all' ? {} : { segmentId })
    const reading = pieces[Symbol.asyncIterator]()
    const texts = [(await reading.next()).value]
    await upsertContact(ctx, { email: 'after@example.com' })
    for (let next = await reading.next(); !next.done; next = await reading.next()) texts.push(next.value)
    expect(texts.join('')).toContain('before@example.com')
    expect(texts.join('')).not.toContain('after@example.com')
  })

  test('fails while 4 exports of the project run, and works again once one of them was given up', async () => {
    const { ctx } = await freshProject(world)
    const open = await Promise.all(Array.from({ length: 4 }, async () => (await exportContacts(ctx, {})).pieces[Symbol.asyncIterator]()))
    for (const pieces of open) await pieces.next()
    await expect(csvOf(ctx)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
    await open[0]?.return?.()
    expect(await csvOf(ctx)).toMatch(/^email,/)
  })
})

describe('exportContact', () => {
  test('has data, subscription history, suppression, events and emails of one person, and of nobody else', async () => {
    const { ctx } = await sendingProject(world)
    const attachments = [{ filename: 'a.txt', content: 'YWJj', contentType: 'text/plain' }]
    const email = await accept(ctx, { to: 'ada@example.com', subject: 'For Ada', body: 'a secret text', attachments })
    await accept(ctx, { to: 'bob@example.com', subject: 'For Bob' })
    await trackEvent(ctx, { email: 'ada@example.com', event: 'signed-up', data: { plan: 'pro' } })
    await suppressAddress(ctx, { email: 'ada@example.com', reason: 'COMPLAINT' })
    const { contactId: id } = await world.db.prisma.email.findFirstOrThrow({ where: { projectId: ctx.projectId, id: email.id } })
    await world.db.prisma.email.update({
      where: { projectId_id: { projectId: ctx.projectId, id: email.id } },
      data: { opens: 3, machineOpens: 2, clicks: 1, machineClicks: 1 },
    })
    await updateContact(ctx, { id, subscribed: true })
    await updateContact(ctx, { id, subscribed: false })
    const person = await personOf(ctx, id)
    expect(person).toMatchObject({
      contact: { id, email: 'ada@example.com', subscribed: false, data: { plan: 'pro' } },
      suppression: { reason: 'COMPLAINT' },
      subscriptions: [
        { subscribed: true, source: 'api', reason: null },
        { subscribed: false, source: 'api', reason: null },
      ],
      events: [{ name: 'signed-up', data: { plan: 'pro' } }, { name: 'contact.subscribed' }, { name: 'contact.unsubscribed' }],
      emails: [
        {
          id: email.id,
          subject: 'For Ada',
          to: { email: 'ada@example.com' },
          opens: 3,
          machineOpens: 2,
          clicks: 1,
          machineClicks: 1,
          attachments: [{ filename: 'a.txt', contentType: 'text/plain', size: 3 }],
        },
      ],
    })
    expect(person.emails).toHaveLength(1)
    expect(JSON.stringify(person)).not.toMatch(/bob@example|secret text|bytesBefore/)
  })

  test('has what existed when it began, also when it is read later', async () => {
    const { ctx } = await sendingProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com', subscribed: false })
    const happen = async (name: string) => {
      await trackEvent(ctx, { email: 'ada@example.com', event: name })
      await accept(ctx, { to: 'ada@example.com', subject: name })
    }
    await happen('before')
    const reading = (await exportContact(ctx, { id })).pieces[Symbol.asyncIterator]()
    const texts = [(await reading.next()).value]
    await happen('after')
    await updateContact(ctx, { id, subscribed: true })
    for (let next = await reading.next(); !next.done; next = await reading.next()) texts.push(next.value)
    const person = JSON.parse(texts.join(''))
    expect(person).toMatchObject({ subscriptions: [], emails: [{ subject: 'before' }] })
    expect(person.events.map(({ name }: { name: string }) => name)).toEqual(['before'])
  })

  test('fails with CONTACT_NOT_FOUND for a contact of another project', async () => {
    const { ctx } = await freshProject(world)
    const { ctx: other } = await freshProject(world)
    const { id } = await upsertContact(other, { email: 'ada@example.com' })
    await expect(exportContact(ctx, { id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' })
  })
})

test('an export ends with a failure where the project was reset while it was read, as what was removed is missing in it', async () => {
  const { ctx } = await freshProject(world)
  await upsertContact(ctx, { email: 'ada@example.com' })
  const pieces = (await exportContacts(ctx, {})).pieces[Symbol.asyncIterator]()
  expect((await pieces.next()).value).toMatch(/^email,/)
  const values = [ctx.projectId, newId('job', world.clock.now()), 'RESET', world.clock.now(), '{}']
  await world.db.run(insertReset, values)
  const rest = (async () => {
    while (!(await pieces.next()).done);
  })()
  await expect(rest).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('was reset while') })
  await world.db.run(finishReset, [ctx.projectId, values[1], world.clock.now()])
  world.clock.turn(1)
  expect(await csvOf(ctx)).toContain('ada@example.com')
})
