import { describe, expect, test } from 'vitest'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { suspendProject } from '../../../src/modules/security/suspensions.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/gql.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// What GraphQL shows in its own way: payloads, inputs and lists that REST has in another form.
const { url, world } = await testServer()

const InviteMember = graphql(`
  mutation InviteMember($input: InviteMemberInput!) { inviteMember(input: $input) { invitation { id email role } invitationUrl } }
`)
const UpdateMember = graphql(`mutation UpdateMember($input: UpdateMemberInput!) { updateMember(input: $input) { member { userId role } } }`)
const RemoveMember = graphql(`mutation RemoveMember($input: RemoveMemberInput!) { removeMember(input: $input) { removedUserId } }`)
const RevokeInvitation = graphql(
  `mutation RevokeInvitation($input: RevokeInvitationInput!) { revokeInvitation(input: $input) { revokedInvitationId } }`,
)
const Members = graphql(`
  query Members($first: Int, $after: String) {
    project {
      members(first: $first, after: $after) { totalCount nodes { email } pageInfo { hasNextPage endCursor } }
      invitations { email }
    }
  }
`)
const Domains = graphql(
  `query Domains($first: Int, $after: String) { domains(first: $first, after: $after) { totalCount nodes { domain } pageInfo { hasNextPage endCursor } } }`,
)
const MyProjects = graphql(
  `query MyProjects($last: Int) { viewer { projects(last: $last) { totalCount nodes { name } pageInfo { hasPreviousPage } } } }`,
)
const Send = graphql(`mutation SendOne($input: SendEmailInput!) { sendEmail(input: $input) { emails { email { subject } } } }`)

async function team() {
  const { projectId } = await freshProject(world)
  const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
  const ask = asker(url)
  const asOwner: typeof ask = (document, variables) => ask(document, variables, { cookie: owner.cookie })
  return { asOwner, owner }
}

describe('members', () => {
  test('inviteMember answers the invitation, whether the address has an account or not', async () => {
    const { asOwner } = await team()
    const { email } = await freshUser(world)
    const existing = await asOwner(InviteMember, { input: { email, role: 'ADMIN' } })
    expect(existing.data?.inviteMember).toEqual({
      invitation: { id: expect.stringMatching(/^inv_/), email, role: 'ADMIN' },
      invitationUrl: null,
    })
    await asOwner(RevokeInvitation, { input: { id: existing.data?.inviteMember.invitation.id ?? '' } })
    const invited = await asOwner(InviteMember, { input: { email: 'new@people.test', role: 'ADMIN' } })
    expect(invited.data?.inviteMember).toEqual({
      invitation: { id: expect.stringMatching(/^inv_/), email: 'new@people.test', role: 'ADMIN' },
      invitationUrl: null,
    })
    const id = invited.data?.inviteMember.invitation.id ?? ''
    expect((await asOwner(RevokeInvitation, { input: { id } })).data?.revokeInvitation).toEqual({ revokedInvitationId: id })
    expect((await asOwner(Members, {})).data?.project.invitations).toEqual([])
  })

  test('updateMember and removeMember answer what they changed', async () => {
    const { asOwner, owner } = await team()
    const { userId } = await freshUser(world, { member: { projectId: owner.ctx.projectId, role: 'MEMBER' } })
    const changed = await asOwner(UpdateMember, { input: { userId, role: 'ADMIN' } })
    expect(changed.data?.updateMember.member).toEqual({ userId, role: 'ADMIN' })
    expect((await asOwner(RemoveMember, { input: { userId } })).data?.removeMember).toEqual({ removedUserId: userId })
    expect((await asOwner(Members, {})).data?.project.members.totalCount).toBe(1)
  })

  test('are listed in pages, oldest first', async () => {
    const { asOwner, owner } = await team()
    const emails = [owner.email]
    for (const _of of [1, 2, 3]) {
      world.clock.turn(1)
      const { email } = await freshUser(world, { member: { projectId: owner.ctx.projectId, role: 'MEMBER' } })
      emails.push(email)
    }
    const first = (await asOwner(Members, { first: 3 })).data?.project.members
    expect(first).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } })
    const second = (await asOwner(Members, { first: 3, after: first?.pageInfo.endCursor ?? null })).data?.project.members
    expect([...(first?.nodes ?? []), ...(second?.nodes ?? [])].map(({ email }) => email)).toEqual(emails)
    expect((await asOwner(Members, { after: 'forged' })).errors[0]?.extensions.code).toBe('BAD_REQUEST')
  })
})

describe('lists of a person and a project', () => {
  test('domains are pages, newest first', async () => {
    const { ctx, secret } = await freshProject(world)
    const ask = asker(url, secret)
    for (const domain of ['a.test', 'b.test', 'c.test']) await createDomain(ctx, { domain })
    const first = (await ask(Domains, { first: 2 })).data?.domains
    expect(first).toMatchObject({ totalCount: 3, nodes: [{ domain: 'c.test' }, { domain: 'b.test' }], pageInfo: { hasNextPage: true } })
    const second = (await ask(Domains, { first: 2, after: first?.pageInfo.endCursor ?? null })).data?.domains
    expect(second).toMatchObject({ nodes: [{ domain: 'a.test' }], pageInfo: { hasNextPage: false } })
  })

  test('projects are pages, newest first', async () => {
    const projects = [await freshProject(world, 'One'), await freshProject(world, 'Two'), await freshProject(world, 'Three')]
    const { cookie } = await freshUser(world, { member: projects.map(({ projectId }) => ({ projectId, role: 'MEMBER' as const })) })
    const { data } = await asker(url)(MyProjects, { last: 2 }, { cookie })
    expect(data?.viewer?.projects).toEqual({
      totalCount: 3,
      nodes: [{ name: 'Two' }, { name: 'One' }],
      pageInfo: { hasPreviousPage: true },
    })
  })
})

describe('sendEmail', () => {
  const to = [{ email: 'ada@example.com' }]

  test('takes templateId, replyTo, headers as a list and attachments with an enum', async () => {
    const { ctx, secret, projectId } = await freshProject(world)
    await createDomain(ctx, { domain: 'acme.test' })
    const { id } = await createTemplate(ctx, { subject: 'Hi', body: '<p>Hi</p>', from: 'hi@acme.test' })
    const headers = [
      { name: 'X-Order', value: '4711' },
      { name: 'X-Shop', value: 'Berlin' },
    ]
    const attachments = [
      { filename: 'a.txt', content: 'QQ==', contentType: 'text/plain', disposition: 'INLINE' as const, contentId: 'a' },
      { filename: 'b.txt', content: 'Qg==', contentType: 'text/plain' },
    ]
    const { data, errors } = await asker(url, secret)(Send, {
      input: { to, templateId: id, replyTo: 'Help@Acme.test', headers, attachments },
    })
    expect([errors, data]).toEqual([[], { sendEmail: { emails: [{ email: { subject: 'Hi' } }] } }])
    const content = await world.db.prisma.emailContent.findFirst({
      where: { projectId },
      include: { attachments: { orderBy: { position: 'asc' } } },
    })
    expect(content).toMatchObject({
      templateId: id,
      replyTo: 'help@acme.test',
      headers: { 'X-Order': '4711', 'X-Shop': 'Berlin' },
      attachments: [{ inline: true, cid: 'a' }, { inline: false }],
    })
  })

  test('names the fields of a broken rule as GraphQL does', async () => {
    const { secret } = await freshProject(world)
    const ask = asker(url, secret)
    const broken = { to, subject: 'Hi', body: '<p></p>', replyTo: 'nobody', headers: [{ name: 'From', value: 'x' }] }
    const { errors } = await ask(Send, { input: broken })
    const fields = errors[0]?.extensions.errors as { field: string }[]
    expect([errors[0]?.extensions.code, fields.map(({ field }) => field).sort()]).toEqual(['VALIDATION_ERROR', ['headers.From', 'replyTo']])
    const twice = [1, 2].map((value) => ({ name: 'X-A', value: String(value) }))
    const repeated = await ask(Send, { input: { to, subject: 'Hi', body: '<p></p>', headers: twice } })
    expect(repeated.errors[0]?.extensions.errors).toEqual([{ field: 'headers.X-A', message: 'is given twice', code: 'duplicate' }])
  })
})

test('a suspended project says why, by a closed set', async () => {
  const { ctx, secret } = await freshProject(world)
  const asked = '{ project { disabled disabledReason security { recentSuspensions { reason } } } }'
  expect((await asker(url, secret)(asked)).data).toMatchObject({ project: { disabled: false, disabledReason: null } })
  await suspendProject(ctx, { reason: 'PHISHING_DETECTED', detail: 'Reported by three recipients.' })
  expect((await asker(url, secret)(asked)).data).toEqual({
    project: { disabled: true, disabledReason: 'PHISHING_DETECTED', security: { recentSuspensions: [{ reason: 'PHISHING_DETECTED' }] } },
  })
})
