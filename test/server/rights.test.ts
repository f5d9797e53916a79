import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { requireUser } from '../../src/kit/access.ts'
import { type Ctx, callIn } from '../../src/kit/context.ts'
import { Failure } from '../../src/kit/errors.ts'
import { deleteAccount } from '../../src/modules/auth/accounts/account.ts'
import { checkCredentials, openSessionOf } from '../../src/modules/auth/accounts/login.ts'
import { changePassword } from '../../src/modules/auth/accounts/passwords.ts'
import { newSession } from '../../src/modules/auth/sessions/sessions.ts'
import { sendTemplateTest } from '../../src/modules/campaigns/sending/send-test.ts'
import { upsertContact } from '../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../src/modules/contacts/fields/delete.ts'
import { createDomain, deleteDomain } from '../../src/modules/domains/domains.ts'
import { sendTestEmail } from '../../src/modules/emails/preview/test-email.ts'
import { removeMember, updateMember } from '../../src/modules/projects/members/members.ts'
import { createProject, regenerateKeys } from '../../src/modules/projects/projects.ts'
import { suppressAddresses } from '../../src/modules/suppressions/suppressions.ts'
import { createTemplate, deleteTemplate } from '../../src/modules/templates/templates.ts'
import { uploadImage } from '../../src/modules/uploads/uploads.ts'
import { isPassword } from '../../src/modules/users/passwords.ts'
import { routes } from '../../src/server/routes.ts'
import { asker } from '../help/ask.ts'
import { heldRequest } from '../help/held.ts'
import { holder } from '../help/holder.ts'
import { occupyWriting } from '../help/occupied.ts'
import { freshUser } from '../help/people.ts'
import { png } from '../help/pictures.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

// Rights that end while something is under way.
const { call, url, world } = await testServer()

/** What comes of work for which five seconds have passed by the clock of this process. */
async function secondsLater<Result>(work: () => Promise<Result>): Promise<Result> {
  const now = performance.now.bind(performance)
  Object.assign(performance, { now: () => now() + 5_000 })
  return work().finally(() => Object.assign(performance, { now }))
}

describe('what takes long to read is not answered to a key that was rotated meanwhile', () => {
  async function reading<Answer>(
    ask: (of: { id: string; projectId: string; secret: string; cookie: string }) => Promise<Answer>,
    { table = 'contacts', end }: { table?: string; end?: (of: { ctx: Ctx; projectId: string; userId: string }) => Promise<unknown> } = {},
  ): Promise<Answer> {
    const { ctx, projectId, secret } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email: 'private@example.com' })
    const admin = await freshUser(world, { member: { projectId, role: 'ADMIN' } })
    const held = await holder(world)
    await held.run(`lock table ${table}`)
    const answer = ask({ id, projectId, secret, cookie: admin.cookie })
    await held.waitedFor()
    await (end ? end({ ctx, projectId, userId: admin.userId }) : regenerateKeys(ctx, { id: projectId }))
    return secondsLater(async () => {
      await held.commit()
      return answer
    })
  }

  test('over REST', async () => {
    const { status, body } = await reading(({ id, secret }) => call(`GET /contacts/${id}`, undefined, { key: secret }))
    expect([status, body.error?.code, JSON.stringify(body)]).toEqual([401, 'INVALID_API_KEY', expect.not.stringContaining('private')])
  })

  test('by a POST that changes nothing', async () => {
    const { status, body } = await reading(({ secret }) =>
      call('POST /contacts/lookup', { emails: ['private@example.com'] }, { key: secret }),
    )
    expect([status, body.error?.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test('over GraphQL', async () => {
    const { status, data, errors } = await reading(({ id, secret }) => asker(url, secret)(`{ contact(id: "${id}") { email } }`))
    expect([status, data, errors[0]?.extensions.code]).toEqual([401, null, 'INVALID_API_KEY'])
  })

  const keysOf = (id: string) => `{ project(id: "${id}") { keys { secretKey } } }`
  const lowered = async ({ projectId, userId }: { projectId: string; userId: string }) => {
    const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    await updateMember(owner.ctx, { id: projectId, userId, role: 'MEMBER' })
  }

  test('nor are the keys of a project, over REST, to who is no admin of it any more', async () => {
    const { status, body } = await reading(({ projectId, cookie }) => call(`GET /users/@me/projects/${projectId}`, undefined, { cookie }), {
      table: 'project_keys',
      end: lowered,
    })
    expect([status, body.error?.message]).toEqual([503, 'What you may see has changed while this was read.'])
  })

  test('nor over GraphQL, where it names the project', async () => {
    const { data, errors } = await reading(({ projectId, cookie }) => asker(url)(keysOf(projectId), {}, { cookie, origin: url }), {
      table: 'project_keys',
      end: lowered,
    })
    expect([data, errors[0]?.message]).toEqual([null, 'What you may see has changed while this was read.'])
  })
})

describe('a large answer that waits for its turn to be written is not sent to a key that was rotated meanwhile', () => {
  async function answered<Answer>(ask: (secret: string) => Promise<Answer>): Promise<Answer> {
    const { ctx, projectId, secret } = await freshProject(world)
    for (let n = 0; n < 3; n++) await upsertContact(ctx, { email: `private${n}@example.com`, data: { text: `${n}`.repeat(120_000) } })
    const release = occupyWriting(ctx)
    const answer = ask(secret)
    await regenerateKeys(ctx, { id: projectId })
    for (let n = 0; n < 20; n++) await call('GET /config')
    return secondsLater(async () => {
      await release()
      return answer
    })
  }

  test('over REST', async () => {
    const { status, body } = await answered((key) => call('GET /contacts', undefined, { key }))
    expect([status, body.error?.code]).toEqual([401, 'INVALID_API_KEY'])
  })

  test('over GraphQL', async () => {
    const { data, errors } = await answered((secret) => asker(url, secret)('{ contacts { nodes { data } } }'))
    expect([data ?? null, errors[0]?.extensions.code]).toEqual([null, 'INVALID_API_KEY'])
  })
})

describe('a call whose body arrives slowly', () => {
  test.each([
    ['REST', '/contacts', '{"email":"ada@example.com"}'],
    ['GraphQL', '/graphql', '{"query":"mutation { upsertContact(input: { email: \\"ada@example.com\\" }) { created } }"}'],
  ])('does nothing over %s with a key that was rotated meanwhile', async (_how, path, body) => {
    const { projectId, secret, ctx } = await freshProject(world)
    const finish = await heldRequest(url, { path, key: secret, body })
    await call(`POST /users/@me/projects/${projectId}/regenerate-keys`, undefined, { key: secret })
    const answer = await secondsLater(finish)
    expect(answer).toContain('INVALID_API_KEY')
    expect(await ctx.db.prisma.contact.count({ where: { projectId } })).toBe(0)
  })
})

describe('mutations that may end rights of their caller', () => {
  test.each([
    'mutation { a: regenerateKeys { keys { publicKey } } b: deleteContact(input: { id: "x" }) { deletedContactId } }',
    'mutation { ...all } fragment all on Mutation { a: regenerateKeys { keys { publicKey } } b: regenerateKeys { keys { publicKey } } }',
  ])('stand alone in their operation: %s', async (query) => {
    const { secret } = await freshProject(world)
    const { status, errors } = await asker(url, secret)(query)
    expect([status, errors[0]?.message]).toEqual([400, expect.stringMatching(/^regenerateKeys changes what the caller may do, so it must/)])
  })
})

test('fragments that spread each other twice are refused, however many paths there are', async () => {
  const fragments = Array.from({ length: 45 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)
  const { status, errors } = await asker(url)(`{ ...F0 ...F0 } ${fragments.join(' ')} fragment F45 on Query { __typename }`)
  expect([status, errors[0]?.message]).toEqual([
    400,
    expect.stringMatching(/^The operation selects the same fields of the same object too often/),
  ])
})

test('a sign-in whose password was replaced after it was checked opens no session', async () => {
  const user = await freshUser(world)
  const ctx = callIn(world)
  const account = await checkCredentials(ctx, { email: user.email, password: user.password })
  await changePassword(user.ctx, { currentPassword: user.password, newPassword: 'another long password' })
  const session = await newSession(ctx)
  await expect(world.db.transaction((tx) => openSessionOf(ctx, tx, { session, account }))).rejects.toMatchObject({
    code: 'INVALID_CREDENTIALS',
  })
  expect(await world.db.prisma.session.count({ where: { userId: account.id } })).toBe(0)
})

describe('a change of password that is under way', () => {
  async function underWay(meanwhile: string) {
    const user = await freshUser(world)
    const { userId } = requireUser(user.ctx)
    const owner = await holder(world)
    await owner.run('select from users where id = $1 for update', [userId])
    const change = changePassword(user.ctx, { currentPassword: user.password, newPassword: 'another long password' }).catch(
      (error: Failure) => error.code,
    )
    await owner.waitedFor()
    await owner.run(meanwhile, [userId])
    await owner.commit()
    const [account] = await world.db.prisma.user.findMany({ where: { id: userId }, select: { passwordHash: true } })
    return { code: await change, passwordHash: account?.passwordHash }
  }

  test('does not undo a reset of the password', async () => {
    const ended = await underWay(`update users set password_hash = 'replaced' where id = $1`)
    expect(ended).toEqual({ code: 'VALIDATION_ERROR', passwordHash: 'replaced' })
  })

  test('does nothing when its session is ended', async () => {
    const { code, passwordHash } = await underWay('delete from sessions where user_id = $1')
    expect(code).toBe('UNAUTHORIZED')
    expect(await isPassword(callIn(world), { passwordHash, password: 'another long password' })).toBe(false)
  })
})

test('an account that is being deleted gets no project', async () => {
  const { ctx } = await freshUser(world)
  await deleteAccount(ctx)
  await expect(createProject(ctx, { name: 'Late' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

describe('what has waited for its turn, or for a thread', () => {
  const refused = { rightsNow: async () => Promise.reject(new Failure('INVALID_API_KEY')) }
  const large = '{{ name }}'.repeat(2_000)
  /** A call during whose wait something happens. */
  const waiting = (ctx: Ctx, happens: () => Promise<unknown>): Ctx => ({
    ...ctx,
    rightsNow: async () => {
      await happens()
      return { actor: ctx.actor, account: ctx.account }
    },
  })

  test('does nothing when its caller may not call any more', async () => {
    const { ctx, projectId, secret } = await freshProject(world)
    await call('POST /contacts', { email: 'ada@example.com', data: { plan: 'pro' } }, { key: secret })
    const late = { ...ctx, ...refused }
    const draft = { name: 'Late', subject: 'Late', body: large, from: 'hi@demo.test' }
    await expect(createTemplate(late, draft)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    await expect(deleteField(late, { field: 'plan' })).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect(await world.db.prisma.template.count({ where: { projectId } })).toBe(0)
    expect((await call('GET /contacts', undefined, { key: secret })).body.data).toMatchObject([{ data: { plan: 'pro' } }])
  })

  const draft = { type: 'TRANSACTIONAL' as const, subject: 'Late', previewText: null, html: '<p>Late</p>' }
  const content = { ...draft, fromAddress: 'hi@demo.test', fromName: null, replyTo: null }
  const testEmail = { content, to: 'ada@example.com', requireAllowed: async () => undefined }

  test('sends no test email and stores no picture for a caller who may not call any more', async () => {
    const { ctx, projectId } = await freshProject(world)
    const late = { ...ctx, ...refused }
    await expect(sendTestEmail(late, testEmail)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    const file = { filename: 'late.png', contentType: 'image/png', bytes: png() }
    await expect(uploadImage(late, { file })).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    expect(await world.db.prisma.capturedMail.count({ where: { projectId } })).toBe(0)
    expect(await world.db.prisma.upload.count({ where: { projectId } })).toBe(0)
    await sendTestEmail(ctx, testEmail)
    expect(await world.db.prisma.capturedMail.count({ where: { projectId } })).toBe(1)
  })

  test('sends no test email to an address that was suppressed meanwhile', async () => {
    const { ctx, projectId } = await freshProject(world)
    const late = waiting(ctx, () => suppressAddresses(ctx, { emails: ['ada@example.com'] }))
    await expect(sendTestEmail(late, testEmail)).rejects.toMatchObject({ errors: [{ field: 'email', code: 'suppressed' }] })
    expect(await world.db.prisma.capturedMail.count({ where: { projectId } })).toBe(0)
  })

  test('sends no test email from a domain that was deleted meanwhile, nor to who is no member any more', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { ctx: owner } = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    const { email, userId } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const { id: domainId } = await createDomain(ctx, { domain: 'demo.test' })
    const { id } = await createTemplate(ctx, { name: 'Late', subject: 'Late', body: '<p>Late</p>', from: 'hi@demo.test' })
    const removing = waiting(owner, () => removeMember(owner, { id: projectId, userId }))
    await expect(sendTemplateTest(removing, { id, email })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const deleting = waiting(ctx, async () => {
      await deleteTemplate(ctx, { id })
      await deleteDomain(ctx, { id: domainId })
    })
    await expect(sendTemplateTest(deleting, { id, email })).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
    expect(await world.db.prisma.capturedMail.count({ where: { projectId } })).toBe(0)
  })

  test('over REST may do what its caller may do on its route by then', async () => {
    const { ctx, projectId, secret } = await freshProject(world)
    const route = routes.find(({ method, path }) => `${method} ${path}` === 'GET /contacts')
    if (!route) throw new Error('There is no such route')
    const run = vi.spyOn(route, 'run')
    onTestFinished(() => run.mockRestore())
    await call('GET /contacts', undefined, { key: secret })
    const rightsNow = run.mock.calls[0]?.[0].rightsNow
    expect(await rightsNow?.()).toMatchObject({ actor: { kind: 'key', key: 'SECRET' } })
    await regenerateKeys(ctx, { id: projectId })
    await expect(rightsNow?.()).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  })
})
