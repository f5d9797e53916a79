import { simpleParser } from 'mailparser'
import { describe, expect, test, vi } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { newId } from '../../../src/kit/ids.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { deliveryIdle, sweepEmails } from '../../../src/modules/emails/delivery/worker.ts'
import { notify } from '../../../src/modules/notifications/notify.ts'
import type { Notification } from '../../../src/modules/notifications/shapes.ts'
import { sendNotification } from '../../../src/modules/platform/notifications/send.ts'
import { checkSender, platformContext, senderOf } from '../../../src/modules/platform/project.ts'
import { reviewReputations } from '../../../src/modules/security/review.ts'
import { noticesTo } from '../../help/notices.ts'
import { countWholeReputation, logMails } from '../../help/reputation.ts'
import { freshProject, type TestWorld, testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
world.publicUrl = 'https://mail.example.com'

const project = { projectName: 'Acme {{ email }} <b>&co' }
const cap = { ...project, category: 'campaigns', used: 800, limit: 1_000, periodEnd: '2026-02-01T00:00:00.000Z' }
const notifications: Notification[] = [
  { kind: 'verify-email', data: { path: '/verify-email/abc', hours: 24 } },
  { kind: 'reset-password', data: { path: '/reset-password/abc', hours: 1 } },
  { kind: 'password-changed', data: {} },
  { kind: 'invitation', data: { ...project, path: '/invitations/abc', role: 'ADMIN', invitedBy: 'ada@example.com', days: 7 } },
  { kind: 'domain-verified', data: { ...project, domain: 'mail.acme.test' } },
  { kind: 'domain-unverified', data: { ...project, domain: 'mail.acme.test', problem: 'The TXT record is gone.' } },
  { kind: 'billing-warning', data: cap },
  { kind: 'billing-limit-reached', data: { ...cap, category: 'all' } },
  { kind: 'project-suspended', data: { ...project, reason: 'MANUAL', detail: 'Spam was reported.' } },
  { kind: 'project-lifted', data: project },
]

const jobOf = (notification: Notification) => {
  const id = newId('notification', world.clock.now())
  return { id, to: `${id}@example.com`, notification }
}

const selectMailsTo = statement<{ raw: Buffer }>('test_select_mails_to', 'select raw from captured_mails where $1 = any("to")', {
  allProjects: 'whichever project sends the emails of the installation',
})

async function mailsTo(at: TestWorld, to: string) {
  while (await sweepEmails(at));
  await deliveryIdle(at)
  const mails = await at.db.run(selectMailsTo, [to])
  return Promise.all(mails.map(({ raw }) => simpleParser(raw)))
}

async function sent(notification: Notification, at = world) {
  const job = jobOf(notification)
  await sendNotification(at, job)
  at.clock.turn(60_000)
  const [mail, ...more] = await mailsTo(at, job.to)
  if (!mail || more.length > 0) throw new Error(`${more.length} emails too many, or none`)
  return { job, mail, html: String(mail.html), text: String(mail.text) }
}

describe('sendNotification', () => {
  test.each(notifications)(
    '$kind: an email of the installation, with its link as a button and as text, untracked',
    async (notification) => {
      const { mail, html, text, job } = await sent(notification)
      expect([mail.from?.text, mail.to]).toEqual(['"Postwire" <hello@postwire.test>', expect.objectContaining({ text: job.to })])
      const url = `https://mail.example.com${'path' in notification.data ? notification.data.path : ''}`
      expect([...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link)).toEqual([url, url])
      expect(text).toContain(`: ${url}\n`)
      expect([mail.subject, html, text].join(' ').replaceAll(project.projectName, '')).not.toMatch(
        /\{%|undefined|null|\[object|unsubscribe/i,
      )
      expect(mail.headers.has('list-unsubscribe')).toBe(false)
    },
  )

  test('contains the data of the notification', async () => {
    const { mail, text } = await sent(notifications[6] as Notification)
    expect(mail.subject).toBe(`${project.projectName} has used most of its emails`)
    expect(text).toContain('has used 800 of the 1000 emails it may send this month (category: campaigns).')
    expect(text).toContain('The count starts again on February 1, 2026.')
  })

  test('shows every value as text: never as markup, as Liquid or as a header field', async () => {
    const projectName = 'Evil\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>{{ url }}'
    const { mail, html } = await sent({ kind: 'project-lifted', data: { projectName } })
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;{{ url }}')
    expect(html).not.toContain('<script')
    expect(mail.headers.has('bcc')).toBe(false)
    expect(mail.subject).toBe('Evil Bcc: all@example.com <script>alert(1)</script>{{ url }} is no longer suspended')
  })

  test('sends once, however often its job runs', async () => {
    const job = jobOf({ kind: 'password-changed', data: {} })
    await Promise.allSettled([sendNotification(world, job), sendNotification(world, job)])
    world.clock.turn(3_600_000)
    await sendNotification(world, job)
    world.clock.turn(60_000)
    expect(await mailsTo(world, job.to)).toHaveLength(1)
  })

  test('stores nothing on the contact: a link is a secret', async () => {
    const { job } = await sent(notifications[1] as Notification)
    const { projectId } = await platformContext(world)
    const contact = await world.db.prisma.contact.findFirstOrThrow({ where: { projectId, email: job.to } })
    expect([contact.data, contact.subscribed]).toEqual([{}, false])
  })
})

describe('the project that sends', () => {
  test('is created once, by the first process, and has no members', async () => {
    const one = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
    const other = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' }, databaseUrl: one.databaseUrl })
    const all = await Promise.all([one, other, one, other].map((at) => platformContext(at)))
    expect(new Set(all.map(({ projectId }) => projectId))).toEqual(new Set([`prj_${'0'.repeat(26)}`]))
    expect(await one.db.prisma.project.count()).toBe(1)
    expect(await one.db.prisma.membership.count({ where: { projectId: all[0]?.projectId } })).toBe(0)
    const domains = await one.db.prisma.domain.findMany({ where: { projectId: all[0]?.projectId ?? '' } })
    expect(domains).toMatchObject([{ domain: 'postwire.test', status: 'VERIFIED' }])
  })

  test('is that of PLATFORM_PROJECT_ID, and sends from PLATFORM_FROM', async () => {
    const { projectId, ctx } = await freshProject(world)
    await createDomain(ctx, { domain: 'acme.test' })
    const env = { EMAIL_TRANSPORT: 'capture', PLATFORM_PROJECT_ID: projectId, PLATFORM_FROM: '"Acme Mail" <Team@acme.test>' }
    const own = await testWorld({ env, databaseUrl: world.databaseUrl })
    own.clock.turn(world.clock.now().getTime() - own.clock.now().getTime())
    const { mail } = await sent({ kind: 'password-changed', data: {} }, own)
    expect(mail.from?.text).toBe('"Acme Mail" <team@acme.test>')
  })

  test('must have verified the domain of PLATFORM_FROM: otherwise the job fails and is tried again', async () => {
    const { projectId } = await freshProject(world)
    const env = { PLATFORM_PROJECT_ID: projectId, PLATFORM_FROM: 'team@elsewhere.test' }
    const own = await testWorld({ env, databaseUrl: world.databaseUrl })
    await expect(sendNotification(own, jobOf({ kind: 'password-changed', data: {} }))).rejects.toMatchObject({
      code: 'DOMAIN_NOT_VERIFIED',
    })
  })

  test('is not limited by the free allowance, nor suspended because of invented addresses', async () => {
    const stripe = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_PRICE_EMAIL_USAGE: 'price_x' }
    const env = { EMAIL_TRANSPORT: 'capture', FREE_MAILS_PER_MONTH: '1', ...stripe }
    const small = await testWorld({ env })
    for (const _ of [1, 2, 3]) await sent({ kind: 'password-changed', data: {} }, small)
    const platform = await platformContext(small)
    await logMails(platform, { sent: 200, bounces: 100 })
    await countWholeReputation(small)
    while (await reviewReputations(small));
    const { disabled } = await small.db.prisma.project.findUniqueOrThrow({ where: { id: platform.projectId } })
    expect(disabled).toBe(false)
  })

  test.each([
    ['hello@acme.test', { email: 'hello@acme.test', name: undefined }],
    ['Acme <hello@acme.test>', { email: 'hello@acme.test', name: 'Acme' }],
    ['"Acme, Inc." <hello@acme.test>', { email: 'hello@acme.test', name: 'Acme, Inc.' }],
  ])('reads the sender %j', (PLATFORM_FROM, sender) => {
    expect(senderOf({ config: { ...world.config, PLATFORM_FROM } })).toEqual(sender)
  })

  test('is warned of at the start while its domain is not verified', async () => {
    const { projectId: PLATFORM_PROJECT_ID, ctx } = await freshProject(world)
    await createDomain(ctx, { domain: 'acme.test' })
    const warn = vi.spyOn(world.log, 'warn')
    const warningsOf = async (PLATFORM_FROM: string) => {
      warn.mockClear()
      await checkSender({ ...world, config: { ...world.config, PLATFORM_PROJECT_ID, PLATFORM_FROM } })
      return warn.mock.calls.map(([given]) => given)
    }
    expect(await warningsOf('Acme <hello@acme.test>')).toEqual([])
    expect(await warningsOf('Acme <hello@elsewhere.test>')).toEqual([{ from: 'hello@elsewhere.test', projectId: PLATFORM_PROJECT_ID }])
    warn.mockRestore()
  })

  test('sends nothing in production without its settings', async () => {
    const env = { NODE_ENV: 'production', APP_SECRET: 'x'.repeat(32), ALLOW_CAPTURE: 'true' }
    const off = await testWorld({ env, databaseUrl: world.databaseUrl })
    const notification = { to: 'nobody@example.com', kind: 'password-changed', data: {} } as const
    await notify(callIn(off), notification)
    expect(await noticesTo(off, notification.to)).toEqual([])
    await notify(callIn(world), notification)
    expect(await noticesTo(off, notification.to)).toHaveLength(1)
  })
})
