import { describe, expect, test } from 'vitest'
import { changeSubscription, countContacts, deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { writeRows } from '../../../../src/modules/contacts/import/write.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import { listEvents } from '../../../../src/modules/events/events.ts'
import { suppressAddress, suppressAddresses } from '../../../../src/modules/suppressions/suppressions.ts'
import { holder } from '../../../help/holder.ts'
import { contactsOf, imported } from '../../../help/imports.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)

const fieldTypes = async (projectId: string) =>
  Object.fromEntries((await world.db.prisma.contactField.findMany({ where: { projectId } })).map(({ key, type }) => [key, type]))
const flips = async (ctx: Parameters<typeof listEvents>[0]) =>
  (await listEvents(ctx, { limit: 100 })).data.map(({ name, data }) => [name, data])

describe('importContacts', () => {
  test('creates and updates contacts, and counts both', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'free', city: 'London' } })
    const job = await imported(ctx, 'email,plan,orders\nAda@Example.com,pro,3\ngrace@example.com,,7\n')
    expect(job).toMatchObject({ state: 'completed', progress: 100, failedReason: null })
    expect(job.result).toEqual({
      totalRows: 2,
      successCount: 2,
      createdCount: 1,
      updatedCount: 1,
      failureCount: 0,
      errors: [],
      errorsOmitted: 0,
    })
    expect(await contactsOf(ctx)).toEqual({
      'ada@example.com': { subscribed: true, data: { plan: 'pro', city: 'London', orders: 3 } },
      'grace@example.com': { subscribed: true, data: { orders: 7 } },
    })
  })

  test('types numbers and booleans, keeps dates, codes and long numbers as text, and the case of names', async () => {
    const { ctx, projectId } = await freshProject(world)
    const cells = {
      firstName: 'Ada',
      Age: '36',
      ratio: '0.50',
      vip: 'TRUE',
      born: '1815-12-10',
      zip: '01234',
      big: '12345678901234567890',
      phone: '+44 20',
      e: '1e5',
    }
    await imported(ctx, `EMAIL,${Object.keys(cells)}\nada@example.com,${Object.values(cells)}\n`)
    expect((await contactsOf(ctx))['ada@example.com']?.data).toEqual({ ...cells, Age: 36, ratio: 0.5, vip: true })
    expect(await fieldTypes(projectId)).toEqual({
      firstName: 'string',
      Age: 'number',
      ratio: 'number',
      vip: 'boolean',
      born: 'date',
      zip: 'string',
      big: 'string',
      phone: 'string',
      e: 'string',
    })
  })

  test('keeps the type a field was first seen with, and stores a value of another type as it is', async () => {
    const { ctx, projectId } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: { seats: 4 } })
    await imported(ctx, 'email,seats,plan\nada@example.com,many,1\nbob@example.com,3,x\n')
    expect((await contactsOf(ctx))['ada@example.com']?.data).toEqual({ seats: 'many', plan: 1 })
    expect(await fieldTypes(projectId)).toEqual({ seats: 'number', plan: 'number' })
  })

  test('drops reserved names, ignores empty cells and columns without a name, and takes rows of any length', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
    const job = await imported(
      ctx,
      'id,email,plan,,createdAt,manageUrl,data.city\ncnt_1,ada@example.com,  ,x,2001-01-01,http://x,Paris\n1,bob@example.com\n\n2,eve@example.com,free,x,y,z,Rome,more,cells\n',
    )
    expect(job.result).toMatchObject({ totalRows: 3, successCount: 3 })
    expect(await contactsOf(ctx)).toMatchObject({
      'ada@example.com': { data: { plan: 'pro', city: 'Paris' } },
      'bob@example.com': { data: {} },
      'eve@example.com': { data: { plan: 'free', city: 'Rome' } },
    })
    expect((await contactsOf(ctx))['eve@example.com']?.data).toEqual({ plan: 'free', city: 'Rome' })
  })

  test('imports cells that begin like a formula as text', async () => {
    const { ctx } = await freshProject(world)
    const cells = ['=cmd|calc', '+1', '-x', '@SUM(1)']
    await imported(ctx, `email,a,b,c,d\nada@example.com,${cells}\n`)
    expect(Object.values((await contactsOf(ctx))['ada@example.com']?.data as object)).toEqual(cells)
  })

  test('stores a cell that looks like a wrapper as it is', async () => {
    const { ctx } = await freshProject(world)
    const cells = [
      { value: 1, persistent: false },
      { value: 8, persistent: true },
    ]
    await imported(ctx, `email;a;b\nada@example.com;${cells.map((cell) => JSON.stringify(cell)).join(';')}\n`)
    expect((await contactsOf(ctx))['ada@example.com']?.data).toEqual({ a: cells[0], b: cells[1] })
  })

  test('of several rows with one address the later ones win, also in other chunks', async () => {
    const { ctx } = await freshProject(world)
    const many = Array.from({ length: 1_500 }, (_, n) => `user${n}@example.com,${n},`).join('\n')
    const job = await imported(ctx, `email,n,m\nada@example.com,1,first\nADA@example.com,2,\n${many}\nada@example.com,3,\n`)
    expect(job.result).toMatchObject({ totalRows: 1_503, successCount: 1_503, createdCount: 1_501, updatedCount: 2, failureCount: 0 })
    expect((await contactsOf(ctx))['ada@example.com']?.data).toEqual({ n: 3, m: 'first' })
  })

  test('lists the rows with an error by their line, imports the others, and says how many more there are', async () => {
    const { ctx } = await freshProject(world)
    const bad = Array.from({ length: 105 }, () => 'nobody,').join('\n')
    const job = await imported(
      ctx,
      `email,note\n"ada@example.com","two\nlines"\n\n,no address\nbob@example.com,nul\0\n${bad}\nlast@example.com,\n`,
    )
    expect(job.state).toBe('completed')
    expect(job.result).toMatchObject({ totalRows: 109, successCount: 2, failureCount: 107, errorsOmitted: 7 })
    expect(job.result.errors).toHaveLength(100)
    expect(job.result.errors.slice(0, 3)).toEqual([
      { row: 5, email: '', error: 'The email address is missing.' },
      { row: 6, email: 'bob@example.com', error: 'The data of "note" must not contain NUL characters.' },
      { row: 7, email: 'nobody', error: 'This is not an email address.' },
    ])
    expect(Object.keys(await contactsOf(ctx))).toEqual(['ada@example.com', 'last@example.com'])
  })

  test('writes nothing for contacts that do not change', async () => {
    const { ctx, projectId } = await freshProject(world)
    const csv = 'email,plan,subscribed\nada@example.com,pro,yes\n'
    await imported(ctx, csv)
    const before = await world.db.prisma.contact.findMany({ where: { projectId } })
    world.clock.turn(1_000)
    expect((await imported(ctx, csv)).result).toMatchObject({ createdCount: 0, updatedCount: 1 })
    expect(await world.db.prisma.contact.findMany({ where: { projectId } })).toEqual(before)
  })
})

describe('the column "subscribed"', () => {
  test('true, 1 and yes subscribe, anything else unsubscribes, an empty cell changes nothing', async () => {
    const { ctx } = await freshProject(world)
    await upsertContact(ctx, { email: 'old@example.com', subscribed: false })
    await imported(
      ctx,
      'email,Subscribed\na@example.com,TRUE\nb@example.com,1\nc@example.com,Yes\nd@example.com,no\ne@example.com,\nold@example.com,\n',
    )
    const subscribed = Object.values(await contactsOf(ctx)).map((contact) => contact.subscribed)
    expect(subscribed).toEqual([true, true, true, false, true, false])
    expect(await flips(ctx)).toEqual([])
  })

  test('a change is logged with the source "import"', async () => {
    const { ctx } = await sendingProject(world)
    await accept(ctx, { to: 'sent@example.com' })
    await upsertContact(ctx, { email: 'ada@example.com' })
    await imported(ctx, 'email,subscribed\nada@example.com,no\nsent@example.com,yes\n')
    expect(await contactsOf(ctx)).toMatchObject({ 'ada@example.com': { subscribed: false }, 'sent@example.com': { subscribed: true } })
    expect((await flips(ctx)).filter(([name]) => String(name).startsWith('contact.')).sort()).toEqual([
      ['contact.subscribed', { source: 'import' }],
      ['contact.unsubscribed', { source: 'import' }],
    ])
  })

  test('never subscribes a contact that opted out, but merges its data', async () => {
    const { ctx } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    await changeSubscription(ctx, { id, subscribed: false, source: 'one_click' })
    const before = await flips(ctx)
    await imported(ctx, 'email,subscribed,plan\nada@example.com,yes,pro\n')
    expect(await contactsOf(ctx)).toEqual({ 'ada@example.com': { subscribed: false, data: { plan: 'pro' } } })
    expect(await flips(ctx)).toEqual(before)
  })

  test('does not subscribe a new contact whose address opted out before its contact was deleted', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'ada@example.com' })
    await changeSubscription(ctx, { id, subscribed: false, source: 'page' })
    await deleteContact(ctx, { id })
    await imported(ctx, 'email,subscribed\nada@example.com,yes\nbob@example.com,yes\n')
    expect(await contactsOf(ctx)).toMatchObject({ 'ada@example.com': { subscribed: false }, 'bob@example.com': { subscribed: true } })
    await imported(ctx, 'email,subscribed\nada@example.com,yes\n')
    expect(await contactsOf(ctx)).toMatchObject({ 'ada@example.com': { subscribed: false } })
    expect(await countContacts({ world, db: world.db, projectId }, {})).toBe(2)
  })

  test('never subscribes an address on the suppression list: neither a new contact, nor when the file is imported again', async () => {
    const { ctx } = await freshProject(world)
    await suppressAddress(ctx, { email: 'ada@example.com', reason: 'COMPLAINT' })
    await suppressAddresses(ctx, { emails: ['out@example.com'], reason: 'UNSUBSCRIBED' })
    for (let time = 1; time <= 2; time++) {
      await imported(ctx, 'email,subscribed\nada@example.com,yes\nout@example.com,yes\nbob@example.com,yes\n')
      expect(await contactsOf(ctx)).toMatchObject({
        'ada@example.com': { subscribed: false },
        'out@example.com': { subscribed: false },
        'bob@example.com': { subscribed: true },
      })
    }
    expect(await flips(ctx)).toEqual([])
  })

  test('never subscribes an address on the suppression list that is in two chunks of a file', async () => {
    const { ctx } = await freshProject(world)
    await suppressAddress(ctx, { email: 'ada@example.com', reason: 'COMPLAINT' })
    const many = Array.from({ length: 1_000 }, (_, n) => `user${n}@example.com,yes`).join('\n')
    const job = await imported(ctx, `email,subscribed\nada@example.com,yes\n${many}\nada@example.com,yes\n`)
    expect(job.result).toMatchObject({ createdCount: 1_001, updatedCount: 1 })
    expect((await contactsOf(ctx))['ada@example.com']).toMatchObject({ subscribed: false })
  })
})

describe('bounds of stored data', () => {
  test('a row beyond 500 keys or 128 KB, together with what the contact has, is an error and changes nothing', async () => {
    const { ctx } = await freshProject(world)
    const keys = Object.fromEntries(Array.from({ length: 499 }, (_, at) => [`k${at}`, at]))
    await upsertContact(ctx, { email: 'full@example.com', data: keys })
    await upsertContact(ctx, { email: 'large@example.com', data: { text: 'x'.repeat(127 * 1024) } })
    const umlauts = 'ü'.repeat(70 * 1024)
    const job = await imported(
      ctx,
      `email,a,b\nfull@example.com,1,2\nlarge@example.com,${'y'.repeat(3_000)},\nnew@example.com,${umlauts},\nok@example.com,1,\n`,
    )
    expect(job.result).toMatchObject({ successCount: 1, createdCount: 1, failureCount: 3 })
    expect(job.result.errors.map(({ row, error }) => [row, error.slice(0, 40)])).toEqual(
      [2, 3, 4].map((row) => [row, 'The contact has no room for the data: it']),
    )
    const contacts = await contactsOf(ctx)
    expect(contacts['full@example.com']?.data).toEqual(keys)
    expect(contacts['large@example.com']?.data).not.toHaveProperty('a')
    expect(Object.keys(contacts)).not.toContain('new@example.com')
  })

  test('a row of more than 128 KB is refused before its cells are read as JSON, which would take long', async () => {
    const { ctx } = await freshProject(world)
    const half = `"[1,${' '.repeat(70 * 1024)}2]"`
    const job = await imported(ctx, `email,a,b\nada@example.com,${half},\nbob@example.com,${half},${half}\n`)
    expect(job.result).toMatchObject({ successCount: 1, failureCount: 1 })
    expect(job.result.errors).toMatchObject([{ row: 3, error: expect.stringContaining('at most 128 KB of stored data') }])
    expect((await contactsOf(ctx))['ada@example.com']?.data).toEqual({ a: [1, 2] })
  })

  test('a row whose new field somebody else takes meanwhile, as the last of the project, is an error; the others are imported', async () => {
    const { ctx, projectId } = await freshProject(world)
    for (let part = 0; part < 4; part++)
      await upsertContact(ctx, {
        email: `part${part}@example.com`,
        data: Object.fromEntries(Array.from({ length: part === 3 ? 499 : 500 }, (_, at) => [`k${part}_${at}`, at])),
      })
    const other = await holder(world)
    await other.run(
      `insert into contact_fields (project_id, key, type, key_kind, first_seen) values ($1, 'theirs', 'string', 'SECRET', now())`,
      [projectId],
    )
    await other.run('update contact_field_counts set fields = fields + 1 where project_id = $1', [projectId])
    const row = (line: number, key: string) => ({
      email: `row${line}@example.com`,
      subscribed: null,
      patch: { set: { [key]: 1 }, types: { [key]: 'number' as const } },
      line,
    })
    const rows = [row(2, 'k0_0'), row(3, 'mine'), row(4, 'k0_0')]
    const written = world.db.transaction((tx) => writeRows(tx, world, { projectId, rows }))
    await other.waitedFor()
    await other.commit()
    const error = expect.stringContaining('2,000 custom fields')
    expect(await written).toEqual({ created: 2, errors: [{ row: 3, email: 'row3@example.com', error }] })
    expect(Object.keys(await contactsOf(ctx)).filter((email) => email.startsWith('row'))).toEqual(['row2@example.com', 'row4@example.com'])
  })

  test('a row with fields beyond the 2,000 of a project is an error; rows with known fields are imported', async () => {
    const { ctx, projectId } = await freshProject(world)
    for (let part = 0; part < 4; part++)
      await upsertContact(ctx, {
        email: `part${part}@example.com`,
        data: Object.fromEntries(Array.from({ length: part === 3 ? 499 : 500 }, (_, at) => [`k${part}_${at}`, at])),
      })
    const job = await imported(ctx, 'email,new1,new2,k0_0\na@example.com,1,,1\nb@example.com,,1,1\nc@example.com,,,1\n')
    expect(job.result).toMatchObject({ successCount: 2, failureCount: 1, errors: [{ row: 3, email: 'b@example.com' }] })
    expect(job.result.errors[0]?.error).toContain('2,000 custom fields')
    expect(await world.db.prisma.contactField.count({ where: { projectId } })).toBe(2_000)
  })
})
