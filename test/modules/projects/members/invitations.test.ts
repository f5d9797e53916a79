import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '../../../../src/kit/context.ts'
import { newId } from '../../../../src/kit/ids.ts'
import { randomSecret } from '../../../../src/kit/vault.ts'
import { nameForEmail } from '../../../../src/modules/projects/members/invitations.ts'
import { noticesTo, tokenTo } from '../../../help/notices.ts'
import { freshUser, type Person } from '../../../help/people.ts'
import { type Answer, testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, world } = await testServer()
const day = 86_400_000

let projectId: string
let owner: Person
let admin: Person
let member: Person
let addresses = 0
const newAddress = () => `invited${addresses++}@example.com`
const people = (id: string) => call(`GET /projects/${id}/members`, undefined, owner).then(({ body }) => body)
const add = (as: { cookie: string }, email: string, role: Role, to = projectId) => call(`POST /projects/${to}/members`, { email, role }, as)
const joined = (role: Role) => freshUser(world, { member: { projectId, role } })
const mailed = async (email: string) => (await noticesTo(world, email)).filter(({ kind }) => kind === 'invitation').length

beforeEach(async () => {
  ;({ projectId } = await freshProject(world))
  owner = await joined('OWNER')
  admin = await joined('ADMIN')
  member = await joined('MEMBER')
})

describe('POST /projects/:id/members', () => {
  test('201 INVITED, the same answer and the same email whether the address has an account or not; nobody becomes a member by it', async () => {
    const user = await freshUser(world)
    const unknown = newAddress()
    for (const email of [user.email, unknown]) {
      const { status, body } = await add(admin, email.toUpperCase(), 'MEMBER')
      const time = expect.stringMatching(/Z$/)
      const id = expect.stringMatching(/^inv_/)
      expect([status, body]).toEqual([201, { id, email, role: 'MEMBER', status: 'INVITED', createdAt: time, expiresAt: time }])
      expect(await noticesTo(world, email)).toEqual([
        { kind: 'invitation', data: expect.objectContaining({ projectName: 'Acme', role: 'MEMBER', invitedBy: admin.email, days: 7 }) },
      ])
    }
    expect((await call('GET /users/@me/projects', undefined, user)).body).toEqual([])
    expect((await people(projectId)).members).toHaveLength(3)
  })

  test('403 for an admin where it would replace the invitation of an owner, which stays', async () => {
    const email = newAddress()
    await add(owner, email, 'OWNER')
    world.clock.turn(day + 60_000)
    expect((await add(admin, email, 'MEMBER')).status).toBe(403)
    expect((await people(projectId)).invitations).toMatchObject([{ email, role: 'OWNER' }])
    expect((await add(owner, email, 'MEMBER')).status).toBe(201)
    world.clock.turn(day + 60_000)
    expect((await add(admin, email, 'ADMIN')).status).toBe(201)
  })

  test('leaves the calls of an invited person with one project as they are, until they accept', async () => {
    const own = await freshProject(world)
    const user = await freshUser(world, { member: { projectId: own.projectId, role: 'OWNER' } })
    await add(owner, user.email, 'MEMBER')
    expect((await call('GET /contacts', undefined, user)).status).toBe(200)
  })

  test('ends with the rights of whoever invited: after their removal, and when they may not invite any more', async () => {
    const [byAdmin, byOwner] = [newAddress(), newAddress()]
    const second = await joined('OWNER')
    await add(admin, byAdmin, 'ADMIN')
    await add(second, byOwner, 'OWNER')
    const pending = async () => (await people(projectId)).invitations.map(({ email }: { email: string }) => email)
    expect(new Set(await pending())).toEqual(new Set([byAdmin, byOwner]))
    await call(`DELETE /projects/${projectId}/members/${admin.userId}`, undefined, owner)
    expect(await pending()).toEqual([byOwner])
    await call(`PATCH /projects/${projectId}/members/${second.userId}`, { role: 'ADMIN' }, owner)
    expect(await pending()).toEqual([])
  })

  test('of an owner is not revoked by an admin', async () => {
    const { body } = await add(owner, newAddress(), 'OWNER')
    expect((await call(`DELETE /projects/${projectId}/invitations/${body.id}`, undefined, admin)).status).toBe(403)
    expect((await call(`DELETE /projects/${projectId}/invitations/${body.id}`, undefined, owner)).status).toBe(204)
  })

  test('409 for a member; 422 for an unknown role; 403 for an admin who invites an owner', async () => {
    expect((await add(owner, member.email, 'ADMIN')).status).toBe(409)
    const email = newAddress()
    expect((await add(owner, email, 'ROOT' as Role)).body.error.errors).toMatchObject([{ field: 'role' }])
    expect((await add(admin, email, 'OWNER')).body.error.code).toBe('FORBIDDEN')
    expect(await mailed(email)).toBe(0)
    expect((await add(owner, email, 'OWNER')).status).toBe(201)
  })

  test('409 for one more than 100 open invitations; those that have expired do not count, and one of them can be renewed', async () => {
    const email = newAddress()
    await add(owner, email, 'MEMBER')
    const [createdAt, expiresAt] = [world.clock.now(), new Date(world.clock.now().getTime() + 2 * day)]
    const common = { projectId, role: 'MEMBER' as const, invitedBy: owner.email, createdAt, expiresAt }
    const data = Array.from({ length: 99 }, () => ({
      ...common,
      id: newId('invitation', createdAt),
      email: newAddress(),
      hash: randomSecret(),
    }))
    await world.db.prisma.invitation.createMany({ data })
    const refused = await add(owner, newAddress(), 'MEMBER')
    expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('100 invitations')])
    expect((await people(projectId)).invitations).toHaveLength(100)
    world.clock.turn(day)
    expect((await add(owner, email, 'ADMIN')).status).toBe(201)
    world.clock.turn(day)
    expect((await add(owner, newAddress(), 'MEMBER')).status).toBe(201)
  })

  test('invited again: the same invitation, renewed, with another role and link; the old link stops working', async () => {
    const email = newAddress()
    const first = await add(owner, email, 'MEMBER')
    const old = await tokenTo(world, email, 'invitation')
    world.clock.turn(day)
    const again = await add(owner, email, 'ADMIN')
    expect([again.status, again.body.id, again.body.role]).toEqual([201, first.body.id, 'ADMIN'])
    expect((await people(projectId)).invitations).toMatchObject([{ id: first.body.id, role: 'ADMIN' }])
    expect((await call(`GET /auth/invitations/${old}`)).status).toBe(400)
    expect((await call(`GET /auth/invitations/${await tokenTo(world, email, 'invitation')}`)).body.data.role).toBe('ADMIN')
  })
})

describe('emails of invitations', () => {
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
  test('go to a recipient once per project and day, also for parallel calls and after the invitation is revoked', async () => {
    const email = newAddress()
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(owner, email, 'MEMBER')))
    expect(statuses(answers)).toEqual([201, ...Array(7).fill(429)])
    const [{ id }] = (await people(projectId)).invitations
    const link = await tokenTo(world, email, 'invitation')
    await call(`DELETE /projects/${projectId}/invitations/${id}`, undefined, owner)
    const refused = await add(admin, email, 'ADMIN')
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, day / 1000])
    expect((await people(projectId)).invitations).toEqual([])
    expect((await call(`GET /auth/invitations/${link}`)).status).toBe(400)
    world.clock.turn(day)
    expect((await add(admin, email, 'ADMIN')).status).toBe(201)
    expect(await mailed(email)).toBe(2)
  })

  test('go to a recipient five times a day in all, whoever invites', async () => {
    const email = newAddress()
    const projects = await Promise.all(Array.from({ length: 7 }, async () => freshProject(world)))
    const owners = await Promise.all(projects.map((one) => freshUser(world, { member: { projectId: one.projectId, role: 'OWNER' } })))
    const answers = await Promise.all(projects.map((one, at) => add(owners[at] as Person, email, 'MEMBER', one.projectId)))
    expect(statuses(answers)).toEqual([...Array(5).fill(201), 429, 429])
    expect(await mailed(email)).toBe(5)
  })

  test('are 50 a day of an inviter over all projects, and 50 a day of a project over all inviters; refused ones do not count', async () => {
    const { projectId: second } = await freshProject(world)
    owner = await freshUser(world, { member: [projectId, second].map((id) => ({ projectId: id, role: 'OWNER' as const })) })
    for (let n = 0; n < 3; n++) expect((await add(owner, admin.email, 'MEMBER')).status).toBe(409)
    const invite = (as: Person, to: string, count: number) =>
      Promise.all(Array.from({ length: count }, () => add(as, newAddress(), 'MEMBER', to)))
    expect(statuses(await invite(owner, projectId, 26))).toEqual(Array(26).fill(201))
    expect(statuses(await invite(owner, second, 26))).toEqual([...Array(24).fill(201), 429, 429])
    expect(statuses(await invite(admin, projectId, 26))).toEqual([...Array(24).fill(201), 429, 429])
    world.clock.turn(day)
    expect((await add(owner, newAddress(), 'MEMBER')).status).toBe(201)
  })

  test('carry the name of the project in at most 60 characters and without anything that becomes a link', async () => {
    await call(
      `PATCH /users/@me/projects/${projectId}`,
      { name: `Win at https://evil.example/now or www.evil.example ${'x'.repeat(40)}` },
      owner,
    )
    const email = newAddress()
    await add(owner, email, 'MEMBER')
    const [notice] = await noticesTo(world, email)
    expect(notice?.data).toMatchObject({ projectName: `Win at https evil example now or www evil example ${'x'.repeat(9)}…` })
  })
})

describe('the name of a project in an email', () => {
  test.each([
    ['Acme', 'Acme'],
    ['Acme Inc. & Sons 2.0', 'Acme Inc. & Sons 2.0'],
    ['evil\u3002example', 'evil example'],
    ['evil．example', 'evil example'],
    ['ada＠evil.example', 'ada evil example'],
    ['mailto:ada', 'mailto ada'],
    ['e\u200bvil.example', 'evil example'],
    ['\u202emoc.live', 'moc live'],
    ['://', 'a project'],
  ])('%j is %j', (name, shown) => {
    expect(nameForEmail(name)).toBe(shown)
  })

  test('never contains a link, whatever the name', () => {
    const piece = fc.oneof(
      fc.webUrl(),
      fc.emailAddress(),
      fc.domain(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('www.', '://', '。', '．', '\u200d'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const shown = nameForEmail(pieces.join(''))
        expect([...shown].length).toBeLessThanOrEqual(60)
        expect(shown).not.toMatch(/[@/\\\p{Cf}\p{Cc}]|:\S|[.。．｡][^\s\d]/u)
        expect(shown.trim()).not.toBe('')
      }),
      { numRuns: 2_000 },
    )
  })
})
