import { describe, expect, test } from 'vitest'
import { bulkDeleteContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { getJob } from '../../../../src/modules/jobs/job.ts'
import { postCsv } from '../../../help/csv.ts'
import { contactsOf, type EndedImport, ended, queueImport } from '../../../help/imports.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const { call, url, world } = await testServer({ worker: true })
const idle = await testServer({ world: await testWorld() })
const bytes = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding))

describe('POST /contacts/import', () => {
  test('202 queues the first file of the form; GET /contacts/import/:jobId answers the job with its result', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const { status, body } = await postCsv(url, key, 'email,plan\nada@example.com,pro\n')
    expect([status, body]).toEqual([202, { message: 'Import queued successfully', jobId: expect.stringMatching(/^job_/) }])
    await ended(ctx, body.jobId)
    expect((await call(`GET /contacts/import/${body.jobId}`, undefined, { key })).body).toEqual({
      id: body.jobId,
      state: 'completed',
      progress: 100,
      result: { totalRows: 1, successCount: 1, createdCount: 1, updatedCount: 0, failureCount: 0, errors: [], errorsOmitted: 0 },
      failedReason: null,
      createdAt: world.clock.now().toISOString(),
      finishedAt: world.clock.now().toISOString(),
    })
    expect(await world.db.prisma.jobFilePart.count({ where: { projectId: ctx.projectId } })).toBe(0)
  })

  test.each<[string, Uint8Array<ArrayBuffer>]>([
    ['UTF-8 with a byte order mark', bytes('\ufeffemail,name\nada@example.com,Zoë\n', 'utf8')],
    ['UTF-16 little-endian with one', bytes('\ufeffemail,name\nada@example.com,Zoë\n', 'utf16le')],
    ['UTF-16 little-endian without one', bytes('email,name\nada@example.com,Zoë\n', 'utf16le')],
    ['UTF-16 big-endian', new Uint8Array(Buffer.from('\ufeffemail,name\nada@example.com,Zoë\n', 'utf16le').swap16())],
    ['semicolons and CRLF', bytes('email;name\r\nada@example.com;"Zoë"\r\n', 'utf8')],
    ['tabs and CR', bytes('email\tname\rada@example.com\tZoë\r', 'utf8')],
  ])('reads %s', async (_what, csv) => {
    const { ctx, secret } = await freshProject(world)
    const { body } = await postCsv(url, secret, csv)
    await ended(ctx, body.jobId)
    expect(await contactsOf(ctx)).toEqual({ 'ada@example.com': { subscribed: true, data: { name: 'Zoë' } } })
  })

  test.each<[string, Uint8Array<ArrayBuffer>, string, RegExp]>([
    ['an empty file', bytes('', 'utf8'), 'empty_file', /^CSV file is empty/],
    ['a file of blank lines', bytes(' \r\n\n', 'utf8'), 'empty_file', /^CSV file is empty/],
    ['a file without a column "email"', bytes('mail,name\nada@example.com,x\n', 'utf8'), 'no_email_column', /"email" column/],
    ['another encoding', bytes('email,name\nada@example.com,Zoë\n', 'latin1'), 'invalid_encoding', /UTF-8/],
    ['one line of 5 MB', bytes(`email${'x'.repeat(5 * 1024 * 1024 - 5)}`, 'utf8'), 'row_too_large', /line 1 has more than 1 MB/],
    [
      'a quotation mark that is never closed',
      bytes('email,"name\nada@example.com,x\n', 'utf8'),
      'unclosed_quote',
      /line 1 is never closed/,
    ],
    ['a name with NUL', bytes('email,a\0b\n', 'utf8'), 'invalid_column', /column 2 must not contain NUL/],
    ['two columns of one key', bytes('email,plan,data.plan\n', 'utf8'), 'duplicate_column', /Columns 2 \("plan"\) and 3 \("data.plan"\)/],
    ['a name that is too long', bytes(`email,${'x'.repeat(256)}\n`, 'utf8'), 'invalid_column', /1 to 255 characters/],
    [
      'a column __proto__',
      bytes('email,plan,__proto__\nada@example.com,x,y\n', 'utf8'),
      'invalid_column',
      /column 3, __proto__, must not be/,
    ],
    ['a column data.__proto__', bytes('email,data.__proto__\n', 'utf8'), 'invalid_column', /column 2, __proto__, must not be/],
    ['too many columns', bytes(`email${',x'.repeat(2_101)}\n`, 'utf8'), 'too_many_columns', /at most 2100 columns/],
  ])('422 for %s, and queues nothing', async (_what, csv, code, message) => {
    const { projectId, secret } = await freshProject(world)
    const { status, body } = await postCsv(url, secret, csv)
    expect([status, body.error?.code, body.error?.errors]).toEqual([
      422,
      'VALIDATION_ERROR',
      [{ field: 'file', code, message: expect.stringMatching(message) }],
    ])
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(0)
  })

  test('413 above 5 MB, 422 without a file, 415 for JSON, 401 for the public key', async () => {
    const { projectId, secret: key, public: publicKey } = await freshProject(world)
    const large = `email\n${'x'.repeat(5 * 1024 * 1024)}`
    expect((await postCsv(url, key, large)).status).toBe(413)
    expect((await call('POST /contacts/import', { file: 'email' }, { key })).status).toBe(415)
    expect((await postCsv(url, publicKey, 'email\n')).status).toBe(401)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await call('POST /contacts/import', '--x--\r\n', { key, headers })).body.error.errors).toMatchObject([
      { field: 'file', code: 'required' },
    ])
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(0)
  })

  test('a row that cannot be read ends the job as failed with its line; the rows before it were imported', async () => {
    const { ctx, secret } = await freshProject(world)
    const rows = Array.from({ length: 1_200 }, (_, n) => `user${n}@example.com,x`)
    const { body } = await postCsv(url, secret, `email,note\n${rows.join('\n')}\nada@example.com,"never closed\nbob@example.com,x\n`)
    expect(await ended(ctx, body.jobId)).toMatchObject({
      state: 'failed',
      failedReason: 'A quotation mark in the row that begins on line 1202 is never closed. The rows before it were imported.',
      result: { totalRows: 1_200, createdCount: 1_200 },
    })
    expect(Object.keys(await contactsOf(ctx))).toHaveLength(1_200)
  })

  test('409 while 20 jobs wait or run; a cancelled one makes room', async () => {
    const { ctx, secret: key } = await freshProject(idle.world)
    const queued = await Promise.allSettled(Array.from({ length: 25 }, () => queueImport(ctx, 'email\nada@example.com\n')))
    const ids = queued.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(ids).toHaveLength(20)
    expect(await postCsv(idle.url, key, 'email\n')).toMatchObject({ status: 409, body: { error: { code: 'LIMIT_REACHED' } } })
    await idle.call(`DELETE /contacts/import/${ids[0]}`, undefined, { key })
    expect((await postCsv(idle.url, key, 'email\n')).status).toBe(202)
  })
})

describe('POST /contacts/import?dryRun=true', () => {
  test('200 says what the import would do, and changes nothing', async () => {
    const { ctx, projectId, secret } = await freshProject(world)
    await upsertContact(ctx, { email: 'ada@example.com', data: { seats: 4 } })
    const before = await contactsOf(ctx)
    const csv = 'email,seats,Born,empty\nada@example.com,many,1815-12-10,\nnew@example.com,3,,\nNEW@example.com,,x,\nnobody,1,,\n'
    expect(await postCsv(url, secret, csv, '?dryRun=true')).toEqual({
      status: 200,
      body: {
        rows: 4,
        new: 1,
        existing: 2,
        unsubscribing: 0,
        ignoredColumns: [],
        fields: [
          { name: 'seats', type: 'number', isNew: false },
          { name: 'Born', type: 'date', isNew: true },
        ],
        errors: [{ row: 5, email: 'nobody', error: 'This is not an email address.' }],
        errorsOmitted: 0,
      },
    })
    expect(await contactsOf(ctx)).toEqual(before)
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(0)
  })

  test('200 lists the rows without room as the import does, of which nothing else is reported', async () => {
    const { ctx, secret } = await freshProject(world)
    for (let part = 0; part < 4; part++)
      await upsertContact(ctx, {
        email: `part${part}@example.com`,
        data: Object.fromEntries(Array.from({ length: part === 3 ? 499 : 500 }, (_, at) => [`k${part}_${at}`, at])),
      })
    const csv = `email,new1,new2,k3_0\npart0@example.com,,,1\nb@example.com,1,,\nc@example.com,,1,\nd@example.com,,,${'x'.repeat(129 * 1024)}\ne@example.com,,,1\n`
    const { body } = await postCsv(url, secret, csv, '?dryRun=true')
    expect(body).toMatchObject({ rows: 5, new: 2, existing: 0 })
    expect(body.fields.map(({ name }: { name: string }) => name)).toEqual(['new1', 'k3_0'])
    expect(body.errors.map(({ row }: { row: number }) => row)).toEqual([2, 4, 5])
    const { errors } = ((await ended(ctx, await queueImport(ctx, csv))) as EndedImport).result
    expect(body.errors).toEqual(errors)
  })

  test('422 for two columns of one key', async () => {
    const { secret } = await freshProject(world)
    const answer = await postCsv(url, secret, 'email,plan,data.plan\nada@example.com,free,pro\n', '?dryRun=true')
    expect(answer).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'file', code: 'duplicate_column' }] } } })
  })

  test('400 for another value, 422 for a file that cannot be read to its end', async () => {
    const { secret } = await freshProject(world)
    expect(await postCsv(url, secret, 'email\n', '?dryRun=maybe')).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
    const broken = await postCsv(url, secret, 'email,x\nada@example.com,"\n', '?dryRun=true')
    expect(broken).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'file', code: 'unclosed_quote' }] } } })
  })
})

describe('GET and DELETE /contacts/import/:jobId', () => {
  test('404 for a job of another project and for a job that is no import', async () => {
    const { ctx, secret: key } = await freshProject(idle.world)
    const { ctx: other } = await freshProject(idle.world)
    const foreign = await queueImport(other, 'email\nada@example.com\n')
    const { jobId: bulk } = await bulkDeleteContacts(ctx, { filter: {} })
    for (const id of [foreign, bulk, 'nonsense'])
      for (const method of ['GET', 'DELETE'])
        expect((await idle.call(`${method} /contacts/import/${id}`, undefined, { key })).body.error?.code, `${method} ${id}`).toBe(
          'RESOURCE_NOT_FOUND',
        )
    expect((await idle.call(`GET /contacts/bulk/${await queueImport(ctx, 'email\n')}`, undefined, { key })).status).toBe(404)
    expect(await getJob(other, { id: foreign })).toMatchObject({ state: 'waiting' })
    expect((await idle.call(`GET /contacts/bulk/${bulk}`, undefined, { key })).body).toMatchObject({
      state: 'waiting',
      result: null,
      progress: 0,
    })
  })

  test('DELETE cancels: nothing is imported after the answer, and the file is removed; 409 once it has ended', async () => {
    const { ctx, projectId, secret: key } = await freshProject(idle.world)
    const id = await queueImport(ctx, 'email\nada@example.com\n')
    const { status, body } = await idle.call(`DELETE /contacts/import/${id}`, undefined, { key })
    expect([status, body]).toMatchObject([200, { id, state: 'cancelled', finishedAt: expect.any(String) }])
    expect(await idle.world.db.prisma.jobFilePart.count({ where: { projectId } })).toBe(0)
    expect(await idle.call(`DELETE /contacts/import/${id}`, undefined, { key })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
    expect(await contactsOf(ctx)).toEqual({})
  })
})
