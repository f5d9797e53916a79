import { domainToASCII } from 'node:url'
import { expect, test } from 'vitest'
import { callAt, testServer } from '../../../help/server.ts'
import { acceptingTransport } from '../../../help/smtp.ts'
import { until } from '../../../help/until.ts'
import { freshProject } from '../../../help/world.ts'

const { delivered, mailServer } = acceptingTransport()
const { url, call, world } = await testServer({ worker: true, running: true, mailServer })

test('both spellings of an international domain are one contact, stored in Unicode; email to it is sent in ASCII', async () => {
  const { secret: key } = await freshProject(world)
  await call('POST /domains', { domain: 'grüße.test' }, { key })
  const [unicode, ascii] = ['ada@bücher.example', 'ada@xn--bcher-kva.example']
  const made = await Promise.all([unicode, ascii].map((email) => call('POST /contacts', { email }, { key })))
  expect(made[0]?.body.id).toBe(made[1]?.body.id)
  const copies = { cc: ['bob@bücher.example'], reply: 'help@grüße.test' }
  const sent = await call('POST /v1/send', { to: ascii, from: 'hello@grüße.test', subject: 'Hi', body: '<p>Hi</p>', ...copies }, { key })
  expect(sent.status).toBe(200)
  expect(sent.body.data.emails[0].contact).toEqual({ id: made[0]?.body.id, email: unicode })
  await until(async () => delivered.length > 0)
  const [mail] = delivered
  expect(mail?.to).toEqual([ascii, 'bob@xn--bcher-kva.example'])
  const head = String(mail?.raw).split('\r\n\r\n')[0] ?? ''
  expect(head).toMatch(/^[\r\n\x20-\x7e]*$/)
  const sender = domainToASCII('grüße.test')
  for (const line of [`To: ${ascii}`, 'Cc: bob@xn--bcher-kva.example', `Reply-To: help@${sender}`, `<hello@${sender}>`])
    expect(head).toContain(line)
})

test.each([
  ['POST /contacts', 'email', {}],
  ['POST /v1/track', 'email', { event: 'seen' }],
  ['POST /v1/send', 'to', { from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }],
  ['POST /v1/send', 'from', { to: 'ada@example.com', subject: 'Hi', body: 'Hi' }],
  ['POST /v1/send', 'reply', { to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }],
  ['POST /v1/verify', 'email', {}],
  ['POST /templates', 'from', { name: 'T', subject: 'S', body: 'B' }],
  ['POST /templates', 'replyTo', { name: 'T', subject: 'S', body: 'B', from: 'hello@demo.test' }],
  ['POST /auth/signup', 'email', { password: 'correct horse battery' }],
  ['POST /auth/login', 'email', { password: 'correct horse battery' }],
  ['POST /auth/request-password-reset', 'email', {}],
])('%s takes %s by the same rule', async (route, field, rest) => {
  const { secret: key } = await freshProject(world)
  for (const address of ['test@iana-.com', `a@${'x'.repeat(65)}.example`, '.a@example.com']) {
    const { status, body } = await callAt(url, route, { ...rest, [field]: address }, { key })
    expect([status, body.error.errors[0].field.split('.')[0]]).toEqual([422, field])
  }
  const { body } = await callAt(url, route, { ...rest, [field]: '!#$%&`*+/=?^`{|}~@iana.org' }, { key })
  expect((body.error?.errors ?? []).filter((one: { field: string }) => one.field === field)).toEqual([])
})
