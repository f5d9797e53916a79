import { simpleParser } from 'mailparser'
import { describe, expect, test } from 'vitest'
import { asker } from '../help/ask.ts'
import { type Answer, testServer } from '../help/server.ts'
import { mailServer } from '../help/smtp.ts'
import { until } from '../help/until.ts'

// From nothing to a delivered email, as a new user does it: with REST only, and with GraphQL only.
const smtp = await mailServer()
const { call, url } = await testServer({ worker: true, running: true, env: { EMAIL_TRANSPORT: smtp.url } })
const password = 'correct horse battery'

async function mailTo(address: string, subject: RegExp) {
  const find = () => smtp.mails.findLast(({ to, raw }) => to.includes(address) && subject.test(String(raw)))
  await until(async () => find() !== undefined)
  return simpleParser(find()?.raw ?? Buffer.alloc(0))
}

async function tokenOf(address: string): Promise<string> {
  const { text } = await mailTo(address, /^Subject: .*(confirm|verify|address)/im)
  return /\/verify-email\/([0-9a-f]{64})/.exec(text ?? '')?.[1] ?? ''
}

describe('a new user signs up, verifies the address, creates a project with a domain and a template, sends, and sees the activity', () => {
  test('with REST only', async () => {
    const signedUp = await call('POST /auth/signup', { email: 'rest@newcomers.test', password })
    const me = { cookie: signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    const verified = await call('POST /auth/verify-email', { token: await tokenOf('rest@newcomers.test') }, me)
    expect(verified.status).toBe(200)
    const { body: project } = await call('POST /users/@me/projects', { name: 'Newcomers' }, me)
    const setup = () => call(`GET /projects/${project.id}/setup-state`, undefined, me)
    expect((await setup()).body).toMatchObject({ hasVerifiedDomain: false, contactCount: 0 })

    const domain = await call('POST /domains', { domain: 'rest.test' }, me)
    expect([domain.status, domain.body.status]).toEqual([201, 'VERIFIED'])
    const draft = { name: 'Hello', subject: 'Hello {{ name }}', body: '<p>Hi {{ name }}</p>', from: 'hi@rest.test', type: 'TRANSACTIONAL' }
    const template = await call('POST /templates', draft, me)
    const key = { key: project.secret }
    const send = { to: 'ada@rest.example', template: template.body.id, data: { name: 'Ada' } }
    const sent: Answer = await call('POST /v1/send', send, key)
    expect(sent.status).toBe(200)

    const mail = await mailTo('ada@rest.example', /./)
    expect([mail.subject, mail.from?.text, mail.text?.trim()]).toEqual(['Hello Ada', '"Newcomers" <hi@rest.test>', 'Hi Ada'])
    await until(async () => {
      const { body } = await call('GET /activity?types=email.sent', undefined, me)
      return body.data.some(({ contactId }: { contactId: string }) => contactId === sent.body.data.emails[0].contact.id)
    })
    expect((await setup()).body).toMatchObject({ hasVerifiedDomain: true, contactCount: 1 })
  })

  test('with GraphQL only', async () => {
    const ask = asker(url)
    const account = { input: { email: 'graph@newcomers.test', password } }
    const signedUp = await ask('mutation ($input: SignUpInput!) { signUp(input: $input) { user { id } } }', account)
    const me = { cookie: signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
    const token = await tokenOf('graph@newcomers.test')
    const verified = await ask('mutation ($token: String!) { verifyEmail(input: { token: $token }) { message } }', { token }, me)
    expect(verified.errors).toEqual([])
    type Made = { createProject: { project: { id: string; keys: { secretKey: string } } } }
    const made = await ask<Made>('mutation { createProject(input: { name: "Newcomers" }) { project { id keys { secretKey } } } }', {}, me)
    const setup = () => ask('{ project { setupState { hasVerifiedDomain contactCount } } }', {}, me)
    expect((await setup()).data).toEqual({ project: { setupState: { hasVerifiedDomain: false, contactCount: 0 } } })

    const domain = await ask(
      'mutation { createDomain(input: { domain: "graph.test" }) { domain { status records { purpose name value } } } }',
      {},
      me,
    )
    expect(domain.data).toMatchObject({ createDomain: { domain: { status: 'VERIFIED' } } })
    const draft = { name: 'Hello', subject: 'Hello {{ name }}', body: '<p>Hi {{ name }}</p>', from: 'hi@graph.test', type: 'TRANSACTIONAL' }
    type Template = { createTemplate: { template: { id: string } } }
    const template = await ask<Template>(
      'mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { template { id } } }',
      { input: draft },
      me,
    )
    const withKey = asker(url, made.data?.createProject.project.keys.secretKey)
    const send = {
      input: { to: [{ email: 'ada@graph.example' }], templateId: template.data?.createTemplate.template.id, data: { name: 'Ada' } },
    }
    const sent = await withKey('mutation ($input: SendEmailInput!) { sendEmail(input: $input) { timestamp } }', send)
    expect(sent.errors).toEqual([])

    const mail = await mailTo('ada@graph.example', /./)
    expect([mail.subject, mail.from?.text, mail.text?.trim()]).toEqual(['Hello Ada', '"Newcomers" <hi@graph.test>', 'Hi Ada'])
    type Feed = { activity: { nodes: { type: string; contactEmail: string | null }[] } }
    await until(async () => {
      const { data } = await ask<Feed>('{ activity(first: 10) { nodes { type contactEmail } } }', {}, me)
      return data?.activity.nodes.some(({ type, contactEmail }) => type === 'EMAIL_SENT' && contactEmail === 'ada@graph.example') ?? false
    })
    expect((await setup()).data).toEqual({ project: { setupState: { hasVerifiedDomain: true, contactCount: 1 } } })
  })
})
