import { authenticate } from 'mailauth'
import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { testServer } from '../help/server.ts'
import { mailServer } from '../help/smtp.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const server = await mailServer()
const { call, url, world } = await testServer({ worker: true, running: true, env: { EMAIL_TRANSPORT: server.url } })
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

async function sender(): Promise<{ key: string; dkimName: string; dkimValue: string; projectId: string }> {
  const { secret, projectId } = await freshProject(world)
  const { body } = await call('POST /domains', { domain: 'demo.test' }, { key: secret })
  const dkim = body.records.find((record: { purpose: string }) => record.purpose === 'DKIM')
  return { key: secret, dkimName: dkim.name, dkimValue: dkim.value, projectId }
}

function here(link: string | undefined): string {
  return (link ?? '').replace(world.publicUrl, url)
}

test('an email is accepted, signed, delivered over real SMTP, opened, clicked and unsubscribed from', async () => {
  const { key, dkimName, dkimValue } = await sender()
  const template = await call(
    'POST /templates',
    {
      subject: 'Hallo {{ name ?? "du" }}',
      body: '<html><body><p>Hi {{ name }}, <a href="https://example.com/?a=1&amp;b=2">look</a></p></body></html>',
      from: 'hello@demo.test',
      fromName: 'Grüße, Inc',
    },
    { key },
  )
  const sent = await call(
    'POST /v1/send',
    {
      to: { email: 'Ada@Example.com', name: 'Ada Löve' },
      template: template.body.id,
      subscribed: true,
      data: { name: { value: '<Ada>', persistent: false } },
      headers: { 'X-Order': '42' },
      cc: ['copy@example.com'],
      bcc: ['hidden@example.com'],
      attachments: [{ filename: 'Rechnung März.txt', content: Buffer.from('one\ntwo').toString('base64'), contentType: 'text/plain' }],
    },
    { key },
  )
  expect(sent.status).toBe(200)
  const { contact, email: id } = sent.body.data.emails[0]
  await until(async () => server.mails.some(({ raw }) => raw.includes(`<${id}@demo.test>`)))
  const delivered = server.mails.find(({ raw }) => raw.includes(`<${id}@demo.test>`))
  if (!delivered) throw new Error('not delivered')
  expect(delivered).toMatchObject({ from: 'hello@demo.test', to: ['ada@example.com', 'copy@example.com', 'hidden@example.com'] })

  const mail = await simpleParser(delivered.raw)
  expect(mail.subject).toBe('Hallo <Ada>')
  expect(mail.from?.value).toEqual([{ address: 'hello@demo.test', name: 'Grüße, Inc' }])
  expect(mail.to).toMatchObject({ value: [{ address: 'ada@example.com', name: 'Ada Löve' }] })
  expect(mail.headers.get('x-order')).toBe('42')
  expect(mail.text).toContain('Hi <Ada>, look [https://example.com/?a=1&b=2]')
  expect(mail.html).toContain('Hi &lt;Ada&gt;')
  expect(mail.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([['Rechnung März.txt', 'one\ntwo']])
  expect(delivered.raw.includes('hidden@example.com')).toBe(false)

  const { dkim } = await authenticate(delivered.raw, {
    ip: '127.0.0.1',
    helo: 'localhost',
    sender: 'hello@demo.test',
    resolver: async (name: string) => {
      if (name === dkimName) return [[dkimValue]]
      throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    },
  })
  expect(dkim.results.map(({ status, signingDomain }) => [status.result, signingDomain])).toEqual([['pass', 'demo.test']])

  const html = String(mail.html)
  const pixel = here(/src="([^"]+\/t\/o\/[^"]+)"/.exec(html)?.[1])
  const link = here(/href="([^"]+\/t\/c\/[^"]+)"/.exec(html)?.[1])
  expect((await fetch(pixel, { headers: browser })).headers.get('content-type')).toBe('image/gif')
  const followed = await fetch(link, { headers: browser, redirect: 'manual' })
  expect([followed.status, followed.headers.get('location')]).toEqual([302, 'https://example.com/?a=1&b=2'])

  const list = mail.headers.get('list') as unknown as { unsubscribe: { url: string } }
  const page = here(list.unsubscribe.url)
  expect((await fetch(page, { headers: browser })).status).toBe(200)
  expect((await call(`GET /contacts/${contact.id}`, undefined, { key })).body.subscribed).toBe(true)
  const oneClick = await fetch(page, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
  expect([oneClick.status, await oneClick.text()]).toEqual([200, 'Unsubscribed'])
  expect((await call(`GET /contacts/${contact.id}`, undefined, { key })).body.subscribed).toBe(false)

  const log = await call(`GET /events/contact/${contact.id}`, undefined, { key })
  expect(log.body.data.map(({ name }: { name: string }) => name).reverse()).toEqual([
    'email.sent',
    'email.open',
    'email.click',
    'contact.unsubscribed',
  ])
  const [unsubscribed, click, open] = log.body.data
  expect(open.data).toMatchObject({ emailId: id, opens: 1, isFirstOpen: true, bot: true, botReason: 'within 2 seconds of sending' })
  expect(click.data).toMatchObject({ link: 'https://example.com/?a=1&b=2', clicks: 1, isFirstClick: true })
  expect(unsubscribed.data).toEqual({ source: 'one_click' })
})

test('a thousand recipients of one call get one email each', async () => {
  const { key, projectId } = await sender()
  const to = Array.from({ length: 1_000 }, (_, n) => `to${n}@many.example`)
  const sent = await call('POST /v1/send', { to, from: 'hello@demo.test', subject: 'Many', body: '<p>Hello {{ email }}</p>' }, { key })
  expect(sent.body.data.emails).toHaveLength(1_000)
  const arrived = () => server.mails.filter(({ to: [first] }) => first?.endsWith('@many.example'))
  await until(async () => arrived().length >= 1_000)
  await until(async () => (await world.db.prisma.email.count({ where: { projectId, status: 'SENT', delivery: null } })) === 1_000)
  expect(new Set(arrived().map(({ to: [first] }) => first)).size).toBe(1_000)
  expect(arrived()).toHaveLength(1_000)
}, 120_000)
