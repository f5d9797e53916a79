import PostalMime from 'postal-mime'
import { describe, expect, test, vi } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail, listEmails } from '../../../../src/modules/emails/emails.ts'
import { captureEmail } from '../../../../src/modules/emails/mailbox/capture.ts'
import { countCapturedEmails } from '../../../../src/modules/emails/mailbox/sql.ts'
import { EmailSearch } from '../../../../src/modules/emails/shapes.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const picture = Buffer.from('iVBORw0KGgo=', 'base64')

async function capture(draft: Parameters<typeof accept>[1]) {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx, draft)
  await deliverEmails(world, { turns: [[projectId, 'transactional']] })
  await deliveryIdle(world)
  const [mail] = await world.db.prisma.capturedMail.findMany({ where: { projectId, emailId: id } })
  return { ctx, projectId, id, path: `/mailbox/${mail?.id}` }
}

/** Stores the octets of an email, and returns the path of its page. */
async function captureOctets(raw: string): Promise<string> {
  const id = newId('capturedMail', world.clock.now())
  const mail = {
    id,
    projectId: null,
    from: 'hello@demo.test',
    to: ['ada@example.com'],
    subject: 'Large',
    raw: Buffer.from(raw),
    createdAt: world.clock.now(),
  }
  await world.db.prisma.capturedMail.create({ data: mail })
  return `/mailbox/${id}`
}

test('large emails that are captured together are stored a few at a time: a parameter of a statement has at most 512 MB as text', async () => {
  const { projectId } = await sendingProject(world)
  const run = vi.spyOn(world.db, 'run')
  const one = (subject: string, bytes: number) =>
    captureEmail(world, {
      projectId,
      emailId: null,
      from: 'a@demo.test',
      to: ['b@example.com'],
      subject,
      pieces: [Buffer.alloc(bytes, 'x')],
    })
  await Promise.all([
    one('first', 10),
    ...Array.from({ length: 3 }, (_, n) => one(`large ${n}`, 3_000_000)),
    one('small', 10),
    one('smaller', 10),
  ])
  const stored = run.mock.calls.flatMap(([statement, values]) => (statement.name === 'emails_insert_captured_tests' ? [values[5]] : []))
  run.mockRestore()
  expect(stored).toEqual([['first', 'large 0'], ['large 1'], ['large 2', 'small', 'smaller']])
  expect(await world.db.prisma.capturedMail.deleteMany({ where: { projectId } })).toEqual({ count: 6 })
})

/** Counts how many statements read all of a captured email at the same moment. */
function countReading(): { most(): number } {
  const { of } = world.db
  let [running, most] = [0, 0]
  vi.spyOn(world.db, 'of').mockImplementation((...owner) => {
    const db = of(...owner)
    const run: typeof db.run = (statement, values) => {
      const isPiece = statement.name === 'emails_select_captured_piece'
      if (isPiece) most = Math.max(most, ++running)
      return db.run<never>(statement, values).finally(() => {
        if (isPiece) running--
      })
    }
    return { ...db, run }
  })
  return { most: () => most }
}

test('an empty mailbox explains what to do', async () => {
  const { status, body } = await callAt(url, 'GET /mailbox')
  expect([status, body]).toEqual([200, expect.stringContaining('No email yet')])
})

describe('a captured email', () => {
  test('is listed newest first, and shown as HTML, text, source and headers', async () => {
    const { path } = await capture({
      subject: 'Grüße <b>',
      body: '<p>Hi <script>alert(1)</script>there</p>',
      from: { email: 'hello@demo.test', name: 'Ünal' },
    })
    const list = await callAt(url, 'GET /mailbox')
    expect(list.body).toContain(`<a href="${path}">Grüße &lt;b&gt;</a>`)
    expect((await callAt(url, `GET ${path}`)).body).toMatch(
      /Ünal &lt;hello@demo.test&gt;.*<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/s,
    )
    expect((await callAt(url, `GET ${path}?view=text`)).body).toContain('<pre>Hi there')
    expect((await callAt(url, `GET ${path}?view=source`)).body).toContain('DKIM-Signature: v=1; a=rsa-sha256')
    expect((await callAt(url, `GET ${path}?view=headers`)).body).toContain('<th scope="row">Message-ID</th>')
  })

  test('is found by a part of its subject or addresses, without wildcards, page by page', async () => {
    const { path } = await capture({ subject: 'Half price: 50% off', body: '<p>Hi</p>' })
    const other = await capture({ subject: 'Half price: 50 euros off', body: '<p>Hi</p>' })
    const found = String((await callAt(url, `GET /mailbox?search=${encodeURIComponent('50% OFF')}`)).body)
    expect([found.includes(path), found.includes(other.path)]).toEqual([true, false])
    expect((await callAt(url, 'GET /mailbox?search=nobody-here')).body).toContain('No email with “nobody-here”')
    const now = world.clock.now().getTime()
    const mails = Array.from({ length: 51 }, (_, n) => ({ subject: `Page ${n}`, createdAt: new Date(now + n) }))
    const raw = Buffer.from('Subject: Page\r\n\r\n')
    const data = mails.map((mail) => ({
      ...mail,
      projectId: null,
      id: newId('capturedMail', mail.createdAt),
      from: 'hello@demo.test',
      to: ['ada@paging.example'],
      raw,
    }))
    await world.db.prisma.capturedMail.createMany({ data })
    const first = String((await callAt(url, 'GET /mailbox?search=paging.example')).body)
    expect(first.match(/<tr><td/g)).toHaveLength(50)
    const older = /href="(\/mailbox\?search=paging.example&amp;before=[^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&')
    const second = String((await callAt(url, `GET ${older}`)).body)
    expect(second.match(/Page \d+/g)).toEqual(['Page 0'])
    expect(second).toContain('Newest')
  })

  test('is not stored once its contact was deleted while it was being composed', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id, contactId } = await accept(ctx, { subject: 'Too late' })
    await deleteContact(ctx, { id: contactId })
    const raw = Buffer.from('Subject: Too late\r\n\r\n')
    await captureEmail(world, {
      projectId,
      emailId: id,
      subject: 'Too late',
      from: 'hello@demo.test',
      to: ['ada@example.com'],
      pieces: [raw],
    })
    expect(await world.db.prisma.capturedMail.count({ where: { projectId, emailId: id } })).toBe(0)
  })

  test('cannot be read once its contact was deleted, also before it is removed', async () => {
    const { ctx, id, path } = await capture({ subject: 'Deleted soon' })
    await deleteContact(ctx, { id: (await getEmail(ctx, { id })).contactId })
    expect(String((await callAt(url, 'GET /mailbox?search=Deleted+soon')).body)).not.toContain(path)
    expect((await callAt(url, `GET ${path}`)).status).toBe(404)
  })

  test('is deleted with all others when the mailbox is emptied, which only the form of its own page can do', async () => {
    const { ctx, projectId, id } = await capture({ subject: 'To go' })
    expect((await callAt(url, 'GET /mailbox/empty')).body).toMatch(/<button>Delete all<\/button>/)
    expect((await callAt(url, 'POST /mailbox/empty', '', { headers: { origin: 'https://attacker.example' } })).status).toBe(403)
    expect(await world.db.prisma.capturedMail.count({ where: { projectId } })).toBe(1)
    const { status, headers } = await callAt(url, 'POST /mailbox/empty', '', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([status, headers.get('location')]).toEqual([303, '/mailbox'])
    expect(await world.db.run(countCapturedEmails, [])).toEqual([{ count: 0 }])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
  })

  test('its body runs no script and loads nothing from elsewhere', async () => {
    const { path } = await capture({ body: '<img src="https://elsewhere.example/x.png"><script>alert(1)</script>' })
    const { headers } = await callAt(url, `GET ${path}/body`)
    expect(headers.get('content-security-policy')).toMatch(
      /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: http:\/\/localhost(:\d+)?; frame-ancestors 'self'$/,
    )
  })

  test('shows its pictures and offers its attachments as downloads', async () => {
    const { path } = await capture({
      body: '<img src="cid:pic@demo">',
      attachments: [
        { filename: 'evil.html', content: Buffer.from('<script>').toString('base64'), contentType: 'text/html' },
        {
          filename: 'pic.png',
          content: picture.toString('base64'),
          contentType: 'image/png',
          contentId: 'pic@demo',
          disposition: 'inline',
        },
      ],
    })
    const body = String((await callAt(url, `GET ${path}/body`)).body)
    const shown = await callAt(url, `GET ${/src="(\/mailbox\/[^"]+)"/.exec(body)?.[1]}`)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    const files = await Promise.all([0, 1].map((position) => callAt(url, `GET ${path}/files/${position}`)))
    const evil = files.find(({ headers }) => headers.get('content-disposition')?.includes('evil.html'))
    expect(evil?.headers.get('content-type')).toBe('application/octet-stream')
    expect(evil?.headers.get('content-disposition')).toMatch(/^attachment; /)
    expect(evil?.headers.get('content-security-policy')).toMatch(/^sandbox/)
  })

  test('shows its beginning as source, and how much follows', async () => {
    const path = await captureOctets(`Subject: Large\r\n\r\nThe begin${`ning${' '.repeat(94)}\r\n`.repeat(30_000)}The end`)
    const source = String((await callAt(url, `GET ${path}?view=source`)).body)
    expect(source.length).toBeLessThan(1_010_000)
    expect([source.includes('The begin'), source.includes('The end')]).toEqual([true, false])
    expect(source).toContain('The first 977 KB; 1954 KB more follow.')
    expect(String((await callAt(url, `GET ${path}?view=text`)).body)).toContain('<pre>The beginning ')
  })

  test('that takes too long to read is shown by its beginning', async () => {
    const begin = 'Subject: Large\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi Ada\r\n'
    const parts = '--b\r\n\r\n\r\n'.repeat(200_000)
    const path = await captureOctets(`${begin}--b\r\nContent-Type: image/png\r\n\r\n${'x'.repeat(1_000_000)}\r\n${parts}--b--\r\n`)
    const shown = String((await callAt(url, `GET ${path}`)).body)
    expect(shown).toMatch(/Only the beginning of this email is shown: with \d+ KB it takes too long to read\./)
    expect(shown).toContain('<pre>Hi Ada')
  })

  test('is read in a thread of its own, with all of it by one page of a client address at a time', async () => {
    const { path } = await capture({
      body: '<p>Hi</p>',
      attachments: [{ filename: 'large.bin', content: Buffer.alloc(2_000_000, 7).toString('base64'), contentType: 'application/pdf' }],
    })
    const parse = vi.spyOn(PostalMime, 'parse')
    const reading = countReading()
    // Few: each waits 15 s at most for those before it, also on a busy machine.
    const pages = Array.from({ length: 2 }, () => [path, `${path}/body`, `${path}/files/0`]).flat()
    const answers = await Promise.all(pages.map((page) => callAt(url, `GET ${page}`)))
    expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200))
    expect([String(answers[0]?.body).includes('large.bin</a> (1954 KB)'), answers[2]?.headers.get('content-length')]).toEqual([
      true,
      '2000000',
    ])
    expect([reading.most(), parse.mock.calls.length]).toEqual([1, 0])
    vi.restoreAllMocks()
  })

  test('404 for one that does not exist', async () => {
    for (const path of ['/mailbox/cap_x', '/mailbox/cap_x/body', '/mailbox/cap_x/files/0', '/mailbox/%27'])
      expect((await callAt(url, `GET ${path}`)).status).toBe(404)
  })
})

test('the emails of a project are listed by status, newest first, page by page', async () => {
  const { ctx, id } = await capture({})
  const next = await accept(ctx, { to: 'bob@example.com' })
  expect((await listEmails(ctx, EmailSearch.parse({}))).data.map((email) => email.id)).toEqual([next.id, id])
  expect((await listEmails(ctx, EmailSearch.parse({ status: 'SENT' }))).data.map((email) => email.id)).toEqual([id])
  const first = await listEmails(ctx, EmailSearch.parse({ limit: '1' }))
  expect(first).toMatchObject({ hasMore: true, total: 2 })
  expect((await listEmails(ctx, EmailSearch.parse({ limit: '1', cursor: first.cursor ?? '' }))).data.map((email) => email.id)).toEqual([id])
  expect((await listEmails(ctx, EmailSearch.parse({ contactId: next.contactId }))).data.map((email) => email.id)).toEqual([next.id])
})
