import { describe, expect, test } from 'vitest'
import { exportSuppressions } from '../../../src/modules/suppressions/export.ts'
import { importSuppressions } from '../../../src/modules/suppressions/import.ts'
import { suppressAddress } from '../../../src/modules/suppressions/suppressions.ts'
import { testServer } from '../../help/server.ts'
import { turnsDuring } from '../../help/turns.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer()

async function projectWithFiles() {
  const project = await freshProject(world)
  const authorization = `Bearer ${project.secret}`
  const put = async (csv: string | Buffer) => {
    const body = new FormData()
    body.append('list', new Blob([Buffer.from(csv as string)]), 'list.csv')
    const response = await fetch(`${url}/suppressions`, { method: 'POST', headers: { authorization }, body })
    return { status: response.status, body: await response.json() }
  }
  const csv = async (query = '', accept = 'text/csv') => fetch(`${url}/suppressions?${query}`, { headers: { authorization, accept } })
  const list = async () => (await call('GET /suppressions?limit=100', undefined, { key: project.secret })).body
  return { ...project, put, csv, list }
}

describe('POST /suppressions with a CSV file', () => {
  test('200 puts its addresses on the list, MANUAL unless a row says otherwise, and says how many were there', async () => {
    const { ctx, put, list } = await projectWithFiles()
    await suppressAddress(ctx, { email: 'bob@example.com', reason: 'UNSUBSCRIBED' })
    const answer = await put('Name;Email;Reason\nAda;Ada@Example.com;\nBob;bob@example.com;bounce\nEve;eve@example.com; Complaint \n')
    expect(answer).toEqual({ status: 200, body: { added: 2, alreadyThere: 1 } })
    expect((await list()).data.map(({ email, reason, source }: Record<string, string>) => [email, reason, source])).toEqual([
      ['ada@example.com', 'MANUAL', 'IMPORT'],
      ['bob@example.com', 'BOUNCE', 'IMPORT'],
      ['eve@example.com', 'COMPLAINT', 'IMPORT'],
    ])
  })

  test('a stronger reason replaces a weaker one, never the reverse, in whatever order the rows are', async () => {
    const { ctx, put, list } = await projectWithFiles()
    await suppressAddress(ctx, { email: 'ada@example.com', reason: 'COMPLAINT' })
    const answer = await put('email,reason\nada@example.com,MANUAL\nbob@example.com,COMPLAINT\nbob@example.com,UNSUBSCRIBED\n')
    expect(answer.body).toEqual({ added: 1, alreadyThere: 2 })
    expect((await list()).data.map(({ reason }: { reason: string }) => reason)).toEqual(['COMPLAINT', 'COMPLAINT'])
  })

  test('skips the rows with an error and lists them by their lines', async () => {
    const { put, list } = await projectWithFiles()
    const { status, body } = await put('email,reason\n"ada@example.com","MANUAL\n"\nnobody,\n,\nbob@example.com,because\n')
    expect([status, body]).toEqual([
      200,
      {
        added: 1,
        alreadyThere: 0,
        errors: [
          { row: 4, email: 'nobody', error: 'This is not an email address.' },
          { row: 5, email: '', error: 'The email address is missing.' },
          { row: 6, email: 'bob@example.com', error: expect.stringContaining('UNSUBSCRIBED, MANUAL, BOUNCE, COMPLAINT') },
        ],
        errorsOmitted: 0,
      },
    ])
    expect((await list()).total).toBe(1)
  })

  test('takes many rows, and counts the errors that it does not list', async () => {
    const { put, list } = await projectWithFiles()
    const rows = Array.from({ length: 2_500 }, (_, n) => (n % 10 === 0 ? 'nobody' : `user${n}@example.com`))
    const { body } = await put(`email\n${rows.join('\n')}\n`)
    expect(body).toMatchObject({ added: 2_250, alreadyThere: 0, errorsOmitted: 150 })
    expect(body.errors).toHaveLength(100)
    expect((await list()).total).toBe(2_250)
  })

  test.each([
    ['blank lines', '\n'],
    ['rows with an error', 'x\n'],
  ])('lets others work while it reads %s', async (_what, row) => {
    const { ctx } = await projectWithFiles()
    const size = 512 * 1024
    const bytes = Buffer.from(`email\n${row.repeat(size / row.length)}`)
    expect(await turnsDuring(() => importSuppressions(ctx, { file: { bytes } }))).toBeGreaterThan(100)
  })

  test.each([
    ['is empty', '', 'empty_file'],
    ['has no column email', 'address\nada@example.com\n', 'no_email_column'],
    ['cannot be read to its end', `email\n${'ada@example.com\n'.repeat(1_500)}"bob@example.com\n`, 'unclosed_quote'],
    ['is no text', Buffer.from([0x80, 0x81, 0x82]), 'invalid_encoding'],
  ])('422 for a file that %s, and nothing is put on the list', async (_what, csv, code) => {
    const { put, list } = await projectWithFiles()
    const { status, body } = await put(csv)
    expect([status, body.error.errors[0].code]).toEqual([422, code])
    expect((await list()).total).toBe(0)
  })

  test('413 for a file of more than 5 MB', async () => {
    const { put } = await projectWithFiles()
    expect((await put(`email\n${'x'.repeat(5 * 1024 * 1024)}`)).status).toBe(413)
  })

  test('415 for a file that is not in a form', async () => {
    const { secret: key } = await projectWithFiles()
    const answer = await call('POST /suppressions', 'email\n', { key, headers: { 'content-type': 'text/csv' } })
    expect(answer.status).toBe(415)
  })
})

describe('GET /suppressions with Accept: text/csv', () => {
  test('200 streams the whole list, by address, to be saved; with a filter only what matches', async () => {
    const { put, csv } = await projectWithFiles()
    const rows = Array.from({ length: 2_100 }, (_, n) => `user${n}@example.com,${n === 7 ? 'BOUNCE' : ''}`)
    await put(`email,reason\n${rows.join('\n')}\n`)
    const answer = await csv('limit=5')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="suppressions-\d{4}-\d\d-\d\d\.csv"$/)
    const lines = (await answer.text()).split('\r\n')
    expect([lines[0], lines.length]).toEqual(['email,reason,source,since', 2_102])
    expect(lines.slice(1, -1)).toEqual(lines.slice(1, -1).toSorted())
    const since = world.clock.now().toISOString()
    expect(await (await csv('search=USER7&reason=BOUNCE')).text()).toBe(
      `email,reason,source,since\r\nuser7@example.com,BOUNCE,IMPORT,${since}\r\n`,
    )
  })

  test('has what was on the list when it began, also what changes meanwhile, and nothing that is added later', async () => {
    const { ctx, put } = await projectWithFiles()
    await put(`email\n${Array.from({ length: 1_000 }, (_, n) => `a${n}@example.com`).join('\n')}\nz@example.com\n`)
    const { pieces } = await exportSuppressions(ctx, {})
    const reader = pieces[Symbol.asyncIterator]()
    await reader.next()
    world.clock.turn(2_000)
    await suppressAddress(ctx, { email: 'z@example.com', reason: 'COMPLAINT' })
    await suppressAddress(ctx, { email: 'y@example.com', reason: 'COMPLAINT' })
    const rest: string[] = []
    for await (const piece of { [Symbol.asyncIterator]: () => reader }) rest.push(piece)
    const lines = rest.join('').split('\r\n')
    expect([lines.length, lines.at(-2)]).toEqual([1_002, expect.stringMatching(/^z@example.com,COMPLAINT,DELIVERY,/)])
  })

  test('has an apostrophe before an address that a spreadsheet would run as a formula, and imported again gives the same list', async () => {
    const { put, csv, list } = await projectWithFiles()
    await put("email,reason\n'=1+1@example.com,BOUNCE\n-x@example.com,\nada@bücher.example,\n")
    const file = await (await csv()).text()
    expect(file).toContain("\r\n'=1+1@example.com,BOUNCE,")
    expect(file).toContain("\r\n'-x@example.com,MANUAL,")
    const other = await projectWithFiles()
    expect((await other.put(file)).body).toEqual({ added: 3, alreadyThere: 0 })
    expect((await other.list()).data).toEqual((await list()).data)
  })

  test.each([
    ['application/json', 'json'],
    ['*/*', 'json'],
    ['text/csv;q=0, application/json', 'json'],
    ['application/json, text/csv;q=0.5', 'json'],
    ['text/html, text/csv;q=0.9, */*;q=0.1', 'csv'],
  ])('Accept: %s is answered with %s', async (accept, type) => {
    const { csv } = await projectWithFiles()
    expect((await csv('', accept)).headers.get('content-type')).toContain(type)
  })

  test('401 for the public key, and nothing of another project', async () => {
    const { public: publicKey } = await freshProject(world)
    const headers = { authorization: `Bearer ${publicKey}`, accept: 'text/csv' }
    expect((await fetch(`${url}/suppressions`, { headers })).status).toBe(401)
    const { ctx } = await freshProject(world)
    await suppressAddress(ctx, { email: 'theirs@example.com', reason: 'BOUNCE' })
    expect(await (await (await projectWithFiles()).csv()).text()).toBe('email,reason,source,since\r\n')
  })
})
